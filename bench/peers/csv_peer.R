# data.table's fread as bench_csv: FILE THREADS ROUNDS; seconds by the clock, and of all processors, the least of each.
suppressMessages(library(data.table))
args <- commandArgs(TRUE)
setDTthreads(as.integer(args[2]))
wall <- cpu <- Inf
for (i in seq_len(as.integer(args[3]))) {
  gc(FALSE)
  t <- system.time(x <- fread(args[1], showProgress = FALSE))
  wall <- min(wall, t[["elapsed"]])
  cpu <- min(cpu, t[["user.self"]] + t[["sys.self"]])
  x <- NULL
}
cat(sprintf("%.6f %.6f\n", wall, cpu))

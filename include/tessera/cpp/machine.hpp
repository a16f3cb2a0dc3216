/** @file machine.hpp
 *  Contexts, memory, threads, devices and queues. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_MACHINE_HPP
#define TESSERA_CPP_MACHINE_HPP

#include <tessera/ops.hpp>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** An allocator over bytes that the program keeps. */
class arena {
 public:
  arena(void *base, std::size_t bytes) noexcept { TSR_IGNORE(tsr_arena_init(base, bytes, &a_)); }
  template <class C, class = detail::item_of<C>>
  explicit arena(C &bytes TSR__CPP_BORROWS) noexcept
      : arena(std::data(bytes), std::size(bytes) * sizeof(detail::item_of<C>)) {}
  arena(const arena &) = delete;
  arena &operator=(const arena &) = delete;
  const tsr_allocator &allocator() const noexcept TSR__CPP_BORROWS { return a_.allocator; }
  std::size_t used() const noexcept { return a_.used; }
  std::size_t peak() const noexcept { return a_.peak; } /**< the bytes that it needs */
  std::size_t mark() const noexcept { return tsr_arena_mark(&a_); }
  /** Forgets what was allocated since mark, of which no tensor may be left. */
  returns<void> rewind(std::size_t mark) {
    const tsr_status st = tsr_arena_rewind(&a_, mark);
    TSR__CPP_RETURN_NOTHING(st, "rewind: the mark is past what is used");
  }

 private:
  tsr_arena a_ = {};
};

/** An allocator that keeps freed blocks, up to keep_bytes of them. It outlives its tensors. */
class pool {
 public:
  explicit pool(std::size_t keep_bytes, const tsr_allocator *upstream = nullptr) {
    const tsr_status st = tsr_memory_pool_new(upstream, keep_bytes, &p_);
#ifndef TSR_CPP_NO_EXCEPTIONS
    if (st != TSR_OK) detail::fail(st, "pool: no memory");
#else
    (void)st; /* without memory for itself it has none for others */
#endif
  }
  pool(const pool &) = delete;
  pool &operator=(const pool &) = delete;
  ~pool() {
    if (p_ != nullptr) TSR_IGNORE(tsr_memory_pool_release(p_));
  }
  const tsr_allocator &allocator() const noexcept TSR__CPP_BORROWS {
    return p_ != nullptr ? *tsr_memory_pool_allocator(p_) : none().allocator();
  }
  tsr_memory_stats stats() const noexcept { return p_ != nullptr ? tsr_memory_pool_stats(p_) : tsr_memory_stats(); }
  std::size_t trim(std::size_t keep_bytes = 0) noexcept {
    return p_ != nullptr ? tsr_memory_pool_trim(p_, keep_bytes) : 0;
  }

 private:
  static arena &none() noexcept {
    static arena nothing(nullptr, 0);
    return nothing;
  }
  tsr_memory_pool *p_ = nullptr;
};

/** A pool of threads of one's own. */
class threads {
 public:
  explicit threads(int count) {
    const tsr_status st = tsr_threads_new(count, &t_);
#ifndef TSR_CPP_NO_EXCEPTIONS
    if (st != TSR_OK) detail::fail(st, "threads: they could not be started");
#else
    (void)st; /* the calling thread does the work */
#endif
  }
  threads(const threads &) = delete;
  threads &operator=(const threads &) = delete;
  ~threads() { tsr_threads_release(t_); }
  const tsr_parallel *parallel() const noexcept TSR__CPP_BORROWS {
    return t_ != nullptr ? tsr_threads_parallel(t_) : tsr_parallel_serial();
  }

 private:
  tsr_threads *t_ = nullptr;
};

#if TSR_HAVE_OPS

/** A device, opened once a process and never closed. */
class device {
 public:
  device() noexcept = default; /**< the host */
  /** "cuda:0", "cpu". */
  static returns<device> open(const char *name) {
    device d;
    const tsr_status st = tsr_device_open(detail::current, name, &d.d_);
    TSR__CPP_RETURN(st, tsr_error(detail::current), d);
  }
  /** How many there are of a kind: "cuda". */
  static int count(const char *kind) noexcept {
    int n = 0;
    return tsr_device_count(detail::current, kind, &n) == TSR_OK ? n : 0;
  }
  const tsr_device *c() const noexcept { return d_; }

 private:
  const tsr_device *d_ = nullptr;
};

/** A copy on a device: to(x, gpu), to(y, tsr::device()) back to the host. */
inline returns<tensor> to(input in, const device &where) {
  tensor y;
  const tsr_status st = detail::own(tsr_to_device(detail::current, in.c(), where.c(), y.c_out()), y.c_out());
  TSR__CPP_RETURN(st, tsr_error(detail::current), y);
}

/** An order of work on a device. */
class queue {
 public:
  queue() noexcept = default;
  static returns<queue> open(const device &where) {
    queue q;
    const tsr_status st = tsr_queue_new(detail::current, where.c(), &q.q_);
    TSR__CPP_RETURN(st, tsr_error(detail::current), q);
  }
  queue(queue &&other) noexcept : q_(std::exchange(other.q_, nullptr)) {}
  queue &operator=(queue &&other) noexcept {
    std::swap(q_, other.q_);
    return *this;
  }
  ~queue() { tsr_queue_release(q_); }
  /** Waits until all of it is done. */
  returns<void> sync() {
    const tsr_status st = tsr_queue_sync(detail::current, q_);
    TSR__CPP_RETURN_NOTHING(st, tsr_error(detail::current));
  }
  tsr_queue *c() const noexcept { return q_; }

 private:
  tsr_queue *q_ = nullptr;
};

#endif

/** What calls are made with: an allocator, threads, scratch memory, a device. It stays where it is made, and is used by a `with`. */
class context {
 public:
  context() noexcept : context(nullptr) {}
  explicit context(const tsr_allocator &allocator TSR__CPP_BORROWS) noexcept : context(&allocator) {}
  explicit context(const arena &memory TSR__CPP_BORROWS) noexcept : context(&memory.allocator()) {}
  explicit context(const pool &memory TSR__CPP_BORROWS) noexcept : context(&memory.allocator()) {}
  context(const context &) = delete;
  context &operator=(const context &) = delete;

  tsr_ctx *c() noexcept TSR__CPP_BORROWS { return &c_; }
  context &run_on(const threads &pool) noexcept {
    c_.parallel = pool.parallel();
    return *this;
  }
  context &run_serially() noexcept {
    c_.parallel = tsr_parallel_serial();
    return *this;
  }
  /** Bytes for temporary memory, which is then taken from nowhere else. */
  returns<void> scratch(void *bytes, std::size_t n) {
    const tsr_status st = tsr_context_set_scratch(&c_, bytes, n);
    TSR__CPP_RETURN_NOTHING(st, tsr_error(&c_));
  }
  /** "base", "avx2", "avx512". */
  returns<void> isa(const char *name) {
    const tsr_status st = tsr_context_set_isa(&c_, name);
    TSR__CPP_RETURN_NOTHING(st, tsr_error(&c_));
  }
#if TSR_HAVE_OPS
  /** Where calls without inputs make their outputs. */
  returns<void> device(const tsr::device &where) {
    const tsr_status st = tsr_context_set_device(&c_, where.c());
    TSR__CPP_RETURN_NOTHING(st, tsr_error(&c_));
  }
  /** The queue that calls on its device go to. */
  returns<void> queue(const tsr::queue &order) {
    const tsr_status st = tsr_context_set_queue(&c_, order.c());
    TSR__CPP_RETURN_NOTHING(st, tsr_error(&c_));
  }
#endif

 private:
  explicit context(const tsr_allocator *allocator) noexcept { TSR_IGNORE(tsr_context_init(&c_, allocator)); }
  tsr_ctx c_;
};

/** From here to the end of the block, calls of this thread are made with a context: `tsr::with use(ctx);`. They nest. */
class with {
 public:
  [[nodiscard]] explicit with(context &ctx TSR__CPP_BORROWS) noexcept : with(ctx.c()) {}
  [[nodiscard]] explicit with(tsr_ctx *ctx) noexcept : before_(detail::current) { detail::current = ctx; }
  with(const with &) = delete;
  with &operator=(const with &) = delete;
  ~with() { detail::current = before_; }

 private:
  tsr_ctx *before_;
};

#if TSR_HAVE_OPS
/** What plain calls of C with a context make between here and the end of the block is released there; tensors of C++ count what they have,
 *  and stay. */
class scope {
 public:
  [[nodiscard]] explicit scope(context &ctx TSR__CPP_BORROWS) : ctx_(ctx.c()) {
    const tsr_status st = tsr_scope_begin(ctx_);
#ifndef TSR_CPP_NO_EXCEPTIONS
    if (st != TSR_OK) detail::fail(st, tsr_error(ctx_));
#else
    if (st != TSR_OK) ctx_ = nullptr; /* what is made then is the program's to release */
#endif
  }
  scope(const scope &) = delete;
  scope &operator=(const scope &) = delete;
  ~scope() {
    if (ctx_ != nullptr) tsr_scope_end(ctx_);
  }

 private:
  tsr_ctx *ctx_;
};
#endif

/* ---- ops with lists of outputs ---- */

/** n views of equal parts of an axis: tsr_split. */
template <class X, class... O, std::enable_if_t<detail::is_handle<X>, int> = 0>
returns<std::vector<view>> split(X &&in, int n, const O &...o) {
  detail::check_names<detail::names<arg::axis_t>>(o...);
  const view all(std::forward<X>(in));
  std::vector<view> parts(n > 0 ? static_cast<std::size_t>(n) : 0);
  const tsr_status st = tsr_split(detail::current, all.c(), detail::value<arg::axis_t>(0, o...), n,
                                  reinterpret_cast<tsr_tensor *>(parts.data()));
  TSR__CPP_RETURN(st, tsr_error(detail::current), parts);
}

/** Views of parts of an axis, of the given sizes: tsr_split_sizes. */
template <class X, class... O, std::enable_if_t<detail::is_handle<X>, int> = 0>
returns<std::vector<view>> split_sizes(X &&in, const ints &sizes, const O &...o) {
  detail::check_names<detail::names<arg::axis_t>>(o...);
  const view all(std::forward<X>(in));
  std::vector<view> parts(sizes.size());
  const tsr_status st = tsr_split_sizes(detail::current, all.c(), detail::value<arg::axis_t>(0, o...), sizes.count(),
                                        sizes.data(), reinterpret_cast<tsr_tensor *>(parts.data()));
  TSR__CPP_RETURN(st, tsr_error(detail::current), parts);
}

/** Grids of coordinates, views of the vectors: tsr_meshgrid. */
inline returns<std::vector<view>> meshgrid(const inputs &in, tsr_indexing indexing = TSR_INDEXING_IJ) {
  std::vector<view> grids(static_cast<std::size_t>(in.count()));
  const tsr_status st =
      tsr_meshgrid(detail::current, in.count(), in.data(), indexing, reinterpret_cast<tsr_tensor *>(grids.data()));
  TSR__CPP_RETURN(st, tsr_error(detail::current), grids);
}

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif

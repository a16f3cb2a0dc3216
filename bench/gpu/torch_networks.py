"""The networks of gpu/network.h in PyTorch: eager, and as a CUDA graph of the same calls. "network KIND DTYPE BATCH" is answered with
milliseconds of both and the bytes that PyTorch had at its peak beyond weights and input."""
import torch
from torch.nn import functional


class Resnet(torch.nn.Module):
    def __init__(self, tiny):
        super().__init__()
        wide = 4 if tiny else 64
        self.first = torch.nn.Conv2d(3, wide, 7, 2, 3)
        self.blocks = torch.nn.ModuleList()
        come = wide
        for stage, count in enumerate((3, 4, 6, 3)):
            for k in range(count):
                inner = wide << stage
                parts = [torch.nn.Conv2d(come, inner, 1), torch.nn.Conv2d(inner, inner, 3, 2 if stage and k == 0 else 1, 1),
                         torch.nn.Conv2d(inner, 4 * inner, 1)]
                if k == 0:
                    parts.append(torch.nn.Conv2d(come, 4 * inner, 1, 2 if stage else 1))
                self.blocks.append(torch.nn.ModuleList(parts))
                come = 4 * inner
        self.last = torch.nn.Linear(come, 10 if tiny else 1000)

    def forward(self, x):
        x = functional.max_pool2d(torch.relu_(self.first(x)), 3, 2, 1)
        for block in self.blocks:
            y = block[2](torch.relu_(block[1](torch.relu_(block[0](x)))))
            x = torch.relu_(y.add_(block[3](x) if len(block) == 4 else x))
        return self.last(functional.adaptive_avg_pool2d(x, 1).flatten(1))


class Layer(torch.nn.Module):
    def __init__(self, e):
        super().__init__()
        self.one, self.two = torch.nn.LayerNorm(e), torch.nn.LayerNorm(e)
        self.all, self.out = torch.nn.Linear(e, 3 * e), torch.nn.Linear(e, e)
        self.wide, self.narrow = torch.nn.Linear(e, 4 * e), torch.nn.Linear(4 * e, e)

    def forward(self, x):
        n, s, e = x.shape
        q, k, v = self.all(self.one(x)).view(n, s, 3, 12, e // 12).permute(2, 0, 3, 1, 4)
        x = x + self.out(functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, s, e))
        return x + self.narrow(functional.gelu(self.wide(self.two(x))))


def graph_of(net, x):
    """One launch of what a call does."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            net(x)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        net(x)
    return graph


def network(line, device, tiny, measured):
    kind, dtype, batch = line.split()
    dtype, batch = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype], min(int(batch), 2) if tiny else int(batch)
    if kind == "resnet":
        net, shape = Resnet(tiny), (batch, 3, 16, 16) if tiny else (batch, 3, 224, 224)
    else:
        e = 48 if tiny else 768
        net, shape = torch.nn.Sequential(*[Layer(e) for _ in range(12)]), (batch, 4 if tiny else 128, e)
    net, x = net.to(device, dtype), torch.randn(shape, device=device).to(dtype)
    if kind == "resnet" and dtype != torch.float32:
        net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    torch.backends.cudnn.benchmark = True
    net(x)
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    eager = measured(lambda: net(x))
    peak = torch.cuda.max_memory_allocated() - before
    graph = graph_of(net, x)
    return f"{eager:.6f} {measured(graph.replay):.6f} {peak}"

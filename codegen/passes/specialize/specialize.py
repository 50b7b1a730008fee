"""Give the warps of a kernel roles: a loader and groups that compute.

**Before**, at the kernel level

    kernel.func @f(...) ... consumers 2 {
      ...
      scf.for ... {
        %a = kernel.descriptor_load ...
        %b = kernel.descriptor_load ...
        %next = kernel.dot %a, %b, %acc
        ...
      } {triton.ring = 4}
      kernel.descriptor_store ...
    }

**After**, at the warps level

    kernel.func @f(...) ... {
      %a_ring = warps.ring : !warps.ring<8 x ...>
      ...
      warps.specialize {
        warps.partition "compute_0" warps 4 registers 240 { ... }
        warps.partition "compute_1" warps 4 registers 240 { ... }
        warps.partition "load" warps 1 registers 24 { ... }
      }
    }

**Requires** products of bf16 or f16 whose right operands are loaded through descriptors
in loops, one of which is staged; rows that no op mixes, if several groups share them.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from tilewright.codegen.kernel.modules import kernels_of, launches_by_kernel
from tilewright.codegen.passes.specialize.consumer import write_consumer
from tilewright.codegen.passes.specialize.loader import write_loader
from tilewright.codegen.passes.specialize.plan import Plan, make_plan
from tilewright.codegen.passes.specialize.start_early import start_early
from tilewright.codegen.passes.specialize.writer import Memory
from tilewright.ir.dialects.kernel import (
    DescriptorLoadOp,
    DescriptorStoreOp,
    DescriptorType,
    FuncOp,
    ReturnOp,
)
from tilewright.ir.dialects.warps import (
    WARP_GROUP,
    PartitionOp,
    SpecializeOp,
)


def specialize(module: ModuleOp) -> ModuleOp:
    """Specialize the kernels that ask for it."""
    launched = launches_by_kernel(module)
    for name, kernel in kernels_of(module).items():
        if kernel.consumers is not None:
            start_early(kernel)
            _specialize(make_plan(kernel))
            for launch in launched[name]:
                launch.properties["num_warps"] = IntegerAttr(WARP_GROUP, i64)
    return module


def _specialize(plan: Plan) -> None:
    kernel, memory = plan.kernel, Memory(plan)
    several = plan.consumers > 1
    partitions = [
        PartitionOp(
            f"compute_{n}" if several else "compute",
            WARP_GROUP,
            plan.registers,
            write_consumer(plan, memory),
            n if several else None,
        )
        for n in range(plan.consumers)
    ]
    loader = write_loader(plan, memory)
    partitions.append(PartitionOp("load", 1, plan.loader_registers, loader))
    descriptors = _shared_descriptors(plan)
    made = SpecializeOp(partitions)
    made.location = kernel.location
    _replace_body(kernel, [*memory.ops, made, ReturnOp()])
    for descriptor, of in descriptors.items():
        Rewriter.replace_value_with_new_type(descriptor, of)
    for name in ("consumers", "consumer_registers"):
        kernel.properties.pop(name, None)


def _shared_descriptors(plan: Plan) -> dict[SSAValue, DescriptorType]:
    """Descriptors of the blocks that one consumer loads or stores."""
    found: dict[SSAValue, DescriptorType] = {}
    for op in plan.kernel.body.walk():
        if isinstance(op, DescriptorLoadOp | DescriptorStoreOp):
            value = op.result if isinstance(op, DescriptorLoadOp) else op.value
            of = op.descriptor.type
            assert isinstance(of, DescriptorType)
            found[op.descriptor] = DescriptorType(plan.share(value), of.extents)
    return found


def _replace_body(kernel: FuncOp, ops: list[Operation]) -> None:
    """The kernel with other ops; the partitions read its parameters."""
    block = kernel.body.block
    for op in reversed(list(block.ops)):
        op.detach()
        op.drop_all_references()
    block.add_ops(ops)

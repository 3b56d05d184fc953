"""Compute a product that is only read transposed in transposed form: (a @ b).T = b.T @ a.T, whose factors are views."""

from __future__ import annotations

from minigrad.compiler.ir import ProgramIR, all_equations, groups
from minigrad.compiler.values import Place, Product, View, base, identity, reads, resolve, transposed


def transpose(ir: ProgramIR) -> str:
    """Compute a product that is only read transposed in transposed form: (a @ b).T = b.T @ a.T."""
    turned = 0
    for group in groups(ir.equations):
        products = {id(e.out): e for e in group if isinstance(e, Product) and len(e.out.shape) == 2}
        read = [(e, v) for e in all_equations(ir.equations) for v in reads(e)]
        for product in list(products.values()):
            readers = [(e, v) for e, v in read if base(v) is product.out]  # also those under another shape
            if not readers or any(resolve(v) != (product.out, (Place(1), Place(0))) for _, v in readers):
                continue
            product.inputs = [transposed(x) for x in product.inputs[::-1]]
            product.out.shape = product.out.shape[::-1]
            for value in {id(v): v for _, v in readers}.values():
                value.at = View(product.out, identity(product.out.shape))
            turned += 1
    return f"{turned} products are computed as they are read"

"""Give each tile of a partition a layout of registers.

layouts     the layout of each tile: from the products to what is computed of them
lay_out_registers  the pass: layouts of new tiles, conversions between layouts
"""

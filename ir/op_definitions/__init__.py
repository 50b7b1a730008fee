"""What xDSL does with an op's definition, later or quicker than xDSL does it.

`lazy_ops` defines an op when it is first used. `quick_accessors` and `quick_checks`
then replace the accessors and the verifier that xDSL made, which read the definition
again at every use. Imports only xDSL.
"""

"""Tensor-level fusion, in four parts: `program` reads a function as nodes and reads, `order` keeps the groups acyclic,
`groups` and `decide` choose which nodes share a kernel, `build` moves the ops."""

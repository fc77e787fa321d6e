# RUN: %python %s
"""The text of cache policies between versions of Triton, there and back."""

from fusir.runtime.ttir_versions import to_attribute, to_clauses

PAIRS = [
    (
        "%1 = tt.load %0, %m, %o cacheModifier = cg evictionPolicy = evict_last : tensor<4x!tt.ptr<f32>>",
        "%1 = tt.load %0, %m, %o {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>}"
        " : tensor<4x!tt.ptr<f32>>",
    ),
    (
        "%1 = tt.load %0 evictionPolicy = evict_first {isVolatile = true} : !tt.ptr<f32>",
        "%1 = tt.load %0 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>, "
        "isVolatile = true} : !tt.ptr<f32>",
    ),
    (
        "tt.store %0, %v cacheModifier = wt : !tt.ptr<f32>",
        "tt.store %0, %v {cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_normal>}"
        " : !tt.ptr<f32>",
    ),
    ("%1 = tt.load %0 {isVolatile = true} : !tt.ptr<f32>", "%1 = tt.load %0 {isVolatile = true} : !tt.ptr<f32>"),
    ("tt.store %0, %v, %m : !tt.ptr<f32>", "tt.store %0, %v, %m : !tt.ptr<f32>"),
]

for clauses, attribute in PAIRS:
    assert to_attribute(clauses) == attribute, to_attribute(clauses)
    assert to_clauses(attribute) == clauses, to_clauses(attribute)
text = "\n".join(clauses for clauses, _ in PAIRS)
assert to_clauses(to_attribute(text)) == text

// RUN: spatial-run %s --check | filecheck %s
// RUN: spatial-run %s --check --schedule random:5 | filecheck %s --check-prefix=RANDOM
// RUN: spatial-run %s --check --schedule adversarial | filecheck %s --check-prefix=LATE
// RUN: spatial-run %s --arg X=arange --arg Y=ones | filecheck %s --check-prefix=ARANGE
// RUN: spatial-run --arg X=zeros - < %s | filecheck %s --check-prefix=ZEROS
// RUN: spatial-run %s --quiet | wc -c | filecheck %s --check-prefix=QUIET
// RUN: spatial-opt --synthesize-handshakes %s | spatial-run --check --reference %s | filecheck %s
// RUN: spatial-run %s --json --check --seed 7 | filecheck %s --check-prefix=JSON

// CHECK:      @double on 2x2 sites, 3 work items, schedule round-robin
// CHECK-NEXT: Y: 12x8xf32, {{.*}} to {{.*}}
// CHECK-NEXT: Y: no error
// CHECK-NEXT: check passed

// RANDOM:     @double on 2x2 sites, 3 work items, schedule random:5
// RANDOM:     check passed
// LATE:       @double on 2x2 sites, 3 work items, schedule adversarial
// LATE:       check passed
// ARANGE:     Y: 12x8xf32, 0 to 190
// ZEROS:      Y: 12x8xf32, 0 to 0
// QUIET:      0

// JSON:      {"events": {{[0-9]+}}, "seconds": {{[0-9.e-]+}}, "program": "double",
// JSON-SAME: "schedule": "round-robin", "seed": 7, "sites": 4, "items": 3,
// JSON-SAME: "arguments": {"X": {"type": "memref<12x8xf32>", "given": "random"},
// JSON-SAME: "Y": {"type": "memref<12x8xf32>", "given": "zeros", "least": -{{[0-9.]+}}, "largest": {{[0-9.]+}}, "nan": 0}},
// JSON-SAME: "check": {"passed": true, "tensors": {"Y": {"passed": true, "largest_absolute_error": 0.0,

spatial.program @double(%X : memref<12x8xf32>, %Y : memref<12x8xf32>)
    target #spatial.target<"reference" {tile = [2, 4]}> grid [2, 2] loops [i = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %X[i * 2 + y, x] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    %1 = arith.addf %0, %0 : f32
    spatial.yield %1 : f32
  }
  spatial.store %y into %Y[i * 2 + y, x] on move 1
}

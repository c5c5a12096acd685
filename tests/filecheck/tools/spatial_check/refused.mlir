// RUN: rm -rf %t && mkdir %t
// RUN: spatial-opt %s --verify-choreography --certificate=%t/c.json -o %t/p.mlir 2>/dev/null
// RUN: spatial-check %t/c.json %t/p.mlir
// RUN: sed '/choreo.flush/d' %t/p.mlir > %t/no_flush.mlir
// RUN: not spatial-check %t/c.json %t/no_flush.mlir 2>&1 | filecheck %s --check-prefix=FLUSH
// RUN: sed '0,/choreo.read_barrier/{/choreo.read_barrier/d}' %t/p.mlir > %t/no_barrier.mlir
// RUN: not spatial-check %t/c.json %t/no_barrier.mlir 2>&1 | filecheck %s --check-prefix=BARRIER
// RUN: sed 's/sem_set %%g_valid, invalid/sem_set %%g_valid, valid/' %t/p.mlir > %t/valid.mlir
// RUN: not spatial-check %t/c.json %t/valid.mlir 2>&1 | filecheck %s --check-prefix=VALID
// RUN: sed 's/ to 4 {/ to 5 {/' %t/p.mlir > %t/longer.mlir
// RUN: not spatial-check %t/c.json %t/longer.mlir 2>&1 | filecheck %s --check-prefix=LONGER
// RUN: sed 's/@pages/@others/' %t/p.mlir > %t/renamed.mlir
// RUN: not spatial-check %t/c.json %t/renamed.mlir 2>&1 | filecheck %s --check-prefix=RENAMED
// RUN: sed 's/"version":1/"version":2/' %t/c.json > %t/version.json
// RUN: not spatial-check %t/version.json %t/p.mlir 2>&1 | filecheck %s --check-prefix=VERSION
// RUN: sed 's/"skips"/"leaps"/' %t/c.json > %t/field.json
// RUN: not spatial-check %t/field.json %t/p.mlir 2>&1 | filecheck %s --check-prefix=FIELD
// RUN: sed 's/]],"pumps"/0]],"pumps"/' %t/c.json > %t/skip.json
// RUN: not spatial-check %t/skip.json %t/p.mlir 2>&1 | filecheck %s --check-prefix=SKIP
// RUN: head -c 200 %t/c.json > %t/half.json
// RUN: not spatial-check %t/half.json %t/p.mlir 2>&1 | filecheck %s --check-prefix=HALF
// RUN: not spatial-check %t/none.json %t/p.mlir 2>&1 | filecheck %s --check-prefix=NONE

// A certificate is refused for programs it is not about, with the first event that breaks a rule.

//   FLUSH: c.json: error: @pages: component 0, run 0, event {{[0-9]+}}: {{.*}}no_flush.mlir:
// BARRIER: c.json: error: @pages: component 0, run 0, event {{[0-9]+}}: {{.*}}no_barrier.mlir:
//   VALID: c.json: error: @pages: component 0, run 0, event {{[0-9]+}}: {{.*}}valid.mlir:{{[0-9]+}}:{{[0-9]+}}: 'choreo.sem_wait': stale wait: an earlier value may let it pass
//  LONGER: c.json: error: @pages: component 0, run 0, event {{[0-9]+}}: {{.*}}longer.mlir:
// RENAMED: c.json: error: '{{.*}}renamed.mlir' has no program @pages
// VERSION: version.json: error: its version is 2, not 1
//   FIELD: field.json: error: the certificate.programs[0].components[0].runs[0] has no 'skips'
//    SKIP: skip.json: error: @pages: component 0, run 0, event {{[0-9]+}}: {{.*}}p.mlir:{{[0-9]+}}:{{[0-9]+}}: 'affine.for': skip: {{[0-9]+}} iterations are left
//    HALF: half.json: error: this is no JSON:
//    NONE: none.json: error: cannot read the certificate: No such file or directory

spatial.program @pages(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 4 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g
      choreo.flush
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @receive on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %k = 0 to 4 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 4 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

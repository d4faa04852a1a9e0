package motion

import (
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/latest"
)

// targetCell hands the newest target from the loop to the writer.
type targetCell struct {
	cell    latest.Cell[target]
	refused atomic.Uint64 // targets refused because of NaN or Inf
}

// target is the position to which the platform must move.
type target struct {
	legs     wire.Legs
	pushedAt time.Duration // when it was pushed, by the platform's clock
}

// put makes l, pushed at the time at, the newest target; it counts l as refused if a leg is NaN or Inf.
func (c *targetCell) put(l wire.Legs, at time.Duration) {
	if !l.Finite() {
		c.refused.Add(1)
		return
	}
	c.cell.Put(&target{l, at})
}

package motion

import (
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// One protocol per line is enough, because the tests of devices/motion cover all protocols without a line. With
// RIG_TEST=all every protocol is tested over every line.
func TestDriveOverEveryLine(t *testing.T) {
	inGuest(t)
	for _, l := range lines {
		for i, p := range protocols {
			if i > 0 && !level.All() {
				continue
			}
			t.Run(p.name+" over "+l.name, func(t *testing.T) {
				b, _, cfg := p.connect(t, l.open)
				x := newBench(t, b, cfg)
				x.locates = p.locates
				x.drive()
				x.gently(0)
				x.sway(time.Duration(level.Pick(1, 1, 2)) * time.Second)
				x.want(0.4)
				x.stands(0.4, 5*time.Second)
				x.end()
				if s := x.platform.Status(); s.LinesLost != 0 || s.Noise != 0 {
					t.Errorf("lost %d times, %d bytes of noise; want none", s.LinesLost, s.Noise)
				}
			})
		}
	}
}

package sim

import (
	"fmt"
	"testing"

	"rig.example/rig/sim/assist"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// Within 0.5 km/h of the limit, against wind and with it, and never 1 km/h past it where
// the car comes from below.
func TestThePitLimiterKeepsItsSpeed(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, limit := range []float64{60, 80} {
		p := DefaultCar()
		p.Assists.PitLimit = limit
		c := newCar(t, p, Dt)
		for k, from := range []float64{10, 40, limit - 2, limit + 20} {
			for l, push := range []float64{0, -600} {
				if (i+k+l)%2 == 1 && !level.All() {
					continue // `make test` holds each limit from every speed, by turns with wind and without
				}
				s := rolling(c, from/3.6, 2)
				name := fmt.Sprintf("%g km/h from %g km/h with %g N", limit, from, push)
				for i := range 30_000 {
					c.Step(&s, Input{Gear: 2, Throttle: 1, PushForce: push, Assists: assist.Switches{PitLimiter: true}})
					if from < limit && s.Speed*3.6 > limit+1 {
						t.Fatalf("%s: %.2f km/h", name, s.Speed*3.6)
					}
					if i == 20_000 || i == 29_999 {
						near.Value(t, name, s.Speed*3.6, limit, 0.5)
					}
				}
				if s.Assist.Pit.Active != 1 {
					t.Errorf("%s: does not say that it works", name)
				}
			}
		}
	}
}

func TestThePitLimiterLetsADriverBeSlower(t *testing.T) {
	c := coupe(t)
	limited, free := rolling(c, 10, 2), rolling(c, 10, 2)
	for range 3000 {
		c.Step(&limited, Input{Gear: 2, Throttle: 0.1, Assists: assist.Switches{PitLimiter: true}})
		c.Step(&free, Input{Gear: 2, Throttle: 0.1})
	}
	near.Value(t, "speed", limited.Speed, free.Speed, 0)
	near.Value(t, "works", float64(limited.Assist.Pit.Active), 0, 0)
}

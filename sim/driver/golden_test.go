//go:build amd64 && !amd64.v3

package driver_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// Other targets fuse a multiply and an add, which changes the last bits.

// The driver drives the same bits as ever: 60 s of a lap from standstill, of which the second
// half begins beside the road, facing the wrong way.
func TestGoldenDriver(t *testing.T) {
	t.Parallel()
	ground, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		car  string
		cfg  driver.Config
		want uint64
	}{
		{"coupe", driver.DefaultConfig(), 0x9c35ae833ebc99d1},
		{"formula", driver.LapConfig(), 0x38641de299f5f87b},
	} {
		t.Run(tt.car, func(t *testing.T) {
			t.Parallel()
			p, err := config.LoadCar(tt.car)
			if err != nil {
				t.Fatal(err)
			}
			car, err := sim.New(p, ground, sim.Dt)
			if err != nil {
				t.Fatal(err)
			}
			d, err := driver.New(tt.cfg, car, ground, sim.Dt)
			if err != nil {
				t.Fatal(err)
			}
			sum := fnv.New64a()
			s := car.Rest(r3.Vec{X: 10}, 0)
			m := d.Start(&s)
			reversed := false
			for tick := range 60_000 {
				if tick == 30_000 {
					s = car.Rest(r3.Vec{X: 100, Y: -9}, 3)
				}
				car.Step(&s, d.Drive(&m, &s))
				reversed = reversed || m.Input.Gear == -1
				if tick%10 == 9 {
					places := [...]float64{m.Station, m.LateralOffset, m.LineStation, m.LineOffset}
					for _, part := range []any{s.Hash(), places, m.Input} {
						if err := binary.Write(sum, binary.LittleEndian, part); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if got := sum.Sum64(); got != tt.want {
				t.Errorf("hash 0x%016x, want 0x%016x: the driver drives otherwise than it did; if that is meant, write the new hash here", got, tt.want)
			}
			if !reversed || !(s.Speed > 5) || math.Abs(m.LineOffset) > 3 {
				t.Errorf("reversed: %t, at the end %.1f m/s, %.1f m beside the line: the drive does not show what it should", reversed, s.Speed, m.LineOffset)
			}
		})
	}
}

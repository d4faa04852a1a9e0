package games

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"

	"rig.example/rig/internal/core/follow"
)

// Offsets in the shared memory of scs-sdk-plugin (scs-telemetry-common.hpp of github.com/RenCloud/scs-sdk-plugin), which has
// zones of one type each.
const (
	scsSize = 2492 // up to the end of the truck's name

	scsActive   = 0
	scsPaused   = 4
	scsTime     = 8  // [µs], changes with each update
	scsSimTime  = 16 // [µs], stands in a pause
	scsPlugin   = 40 // revision of the plugin; major and minor version of the game
	scsGame     = 52 // 1 Euro, 2 American Truck Simulator
	scsGear     = 504
	scsRPM      = 952
	scsInputs   = 960  // throttle, brake, clutch
	scsTravel   = 1072 // of up to 16 wheels
	scsVelocity = 1868 // [m/s, truck]
	scsRate     = 1880 // [turns/s, truck]
	scsAccel    = 1892 // [m/s², truck]
	scsCabin    = 2012 // heading, pitch, roll of the cabin on its springs [turns]
	scsPosition = 2200 // [m, world]
	scsAngles   = 2224 // heading, pitch, roll [turns]
	scsTruck    = 2428
	scsText     = 64

	turn = 2 * math.Pi
)

// trucks reads Euro Truck Simulator 2 and American Truck Simulator.
type trucks struct {
	bytes, again [scsSize]byte
	time         uint64
	phase        follow.Phase
	read         bool
}

func newTrucks() reader { return &trucks{} }

func (t *trucks) poll(pages []*page, s *follow.Sample) (isNew bool, err error) {
	if err := pages[0].readWhole(t.bytes[:], t.again[:], 0); err != nil {
		return false, err
	}
	*s = scsSample(t.bytes[:])
	time := view(t.bytes[:]).u64(scsTime)
	isNew = !t.read || time != t.time || s.Phase != t.phase
	t.read, t.time, t.phase = true, time, s.Phase
	return isNew, nil
}

// scsSample converts scsSize bytes. The truck has X to the right, Y up and Z back, right-handed; angles are turns to the left,
// nose up and, counterclockwise seen from behind, left side down (scssdk_value.h). The driver sits in the cabin: its attitude
// is that of truck and cabin together.
func scsSample(v view) follow.Sample {
	s := unknown("scs")
	switch {
	case v[scsActive] == 0:
		s.Phase = follow.Menu
	case v[scsPaused] != 0:
		s.Phase = follow.Paused
	default:
		s.Phase = follow.Live
	}
	s.Time, s.Car = float64(v.u64(scsSimTime))/1e6, Hash(v.text(scsTruck, scsText))+uint64(v.u32(scsGame))
	s.Pos = rightUpBack(v.f64x3(scsPosition))
	s.Vel, s.Acc = rightUpBack(v.f32x3(scsVelocity)), rightUpBack(v.f32x3(scsAccel))
	s.Rate = scaled(rightUpBack(v.f32x3(scsRate)), turn)
	truck, cabin := scsAttitude(v.f64x3(scsAngles)), scsAttitude(v.f32x3(scsCabin))
	q := quat.Mul(number(truck), number(cabin))
	s.Att = [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag}
	s.RPM, s.Gear = v.f32(scsRPM), int8(min(max(v.i32(scsGear), -100), 100))
	s.Throttle, s.Brake, s.Clutch = v.f32(scsInputs), v.f32(scsInputs+4), v.f32(scsInputs+8)
	for i := range s.Travel {
		s.Travel[i] = v.f32(scsTravel + 4*i)
	}
	return s
}

func scsAttitude(turns vector) [4]float64 {
	return attitude(turns[0]*turn, turns[1]*turn, -turns[2]*turn)
}

func number(q [4]float64) quat.Number {
	return quat.Number{Real: q[0], Imag: q[1], Jmag: q[2], Kmag: q[3]}
}

func (t *trucks) version() string {
	v := view(t.bytes[:])
	name := map[uint32]string{1: "ETS2", 2: "ATS"}[v.u32(scsGame)]
	return fmt.Sprintf("%s %d.%d, plugin %d", name, v.u32(scsPlugin+4), v.u32(scsPlugin+8), v.u32(scsPlugin))
}

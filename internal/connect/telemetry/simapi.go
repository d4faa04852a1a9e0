package telemetry

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// Sizes and places in struct SimData of simapi, version 1, packed to 4 bytes.
const (
	simAPISize    = 46044
	simAPICars    = 1364 // where cars[128] begins: nothing in it changes while the rig drives
	simAPICarSize = 348
	simAPIMaxCars = 128
	simAPINear    = 6  // cars nearby
	simAPITail    = 16 // bytes from simapi to the end

	simAPIVersion = 1
	simAPIText    = 128 // size of a name

	simAPIMenu       = 1 // values of simstatus
	simAPIActivePlay = 2
)

// appendSimAPI appends the content of the shared memory SIMAPI.DAT (struct SimData in simapi/simdata.h of
// github.com/Spacefreak18/simapi), which monocoque and simmonitor read.
//
// The header tells no axes; these are those of simapi's mappers of DiRT Rally 2.0 and Assetto Corsa: car and world have X
// to the right, Y ahead and Z up; heading is clockwise, pitch positive with the nose up, roll with the right side down,
// all in degrees. Steering is -1 (left) to 1 (right). The slip ratio is positive for a wheel that locks and negative for
// one that spins, as monocoque's haptic effects take it. Wheels are front left, front right, rear left, rear right.
func appendSimAPI(p *packet, s *Sample) {
	f, a := s.Frame, s.axes()
	appendSimAPIGauges(p, s)
	local, world := rightAheadUp(a.toBody(f.Vel)), rightAheadUp(f.Vel)
	p.f64(local[:]...)
	p.f64(world[:]...)
	p.f64(f.Throttle, f.Brake, f.Fuel, s.Scene.TankCapacity, f.Clutch, s.steer(), f.Handbrake)
	p.f64(f.Boost, f.Boost, 1)
	p.f64(number(s.has(frame.ABSActive)), 0)
	appendSimAPIWheels(p, s)
	roll, pitch, yaw := a.angles()
	pos := rightAheadUp(f.Pos)
	p.f64(f.Distance, -yaw*degrees, -pitch*degrees, roll*degrees)
	p.f64(pos[:]...)
	appendSimAPITires(p, s)
	const airDensity = 1.2  // [kg/m³]
	p.f64(airDensity, 0, 0) // air and track have no temperature
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.Travel })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.TravelSpeed })...)
	appendSimAPILaps(p, s)
	p.text(s.Scene.CarName, simAPIText)
	p.text(s.Scene.TrackName, simAPIText)
	p.zeros(2*simAPIText + 1) // driver, compound of the tires; padding
	p.zeros(simAPIMaxCars*simAPICarSize + simAPINear*20)
	appendSimAPITail(p, true)
}

func appendSimAPIGauges(p *packet, s *Sample) {
	f := s.Frame
	p.u64(f.Tick) // mtick: grows with each write
	p.u64(f.Tick) // prev_mtick
	status := float64(simAPIMenu)
	if s.isDriving() {
		status = simAPIActivePlay
	}
	p.u32(status)
	p.u32(math.Round(abs(f.Speed) * 3.6))
	p.u32(math.Round(f.RPM))
	p.u32(s.gearFromReverse())
	p.u32(0) // pulses
	p.u32(math.Round(s.Scene.MaxRPM))
	p.u32(math.Round(s.Scene.IdleRPM))
	p.u32(float64(s.Scene.ForwardGears))
	p.u32(f.Pos[2])
	p.u32(float64(f.Lap.Number))
	p.u32(1) // place
	p.u32(0) // laps of the race
	p.u32(float64(f.Lap.Count))
	p.u32(1) // cars
	p.text(frame.GearName(f.Gear), 3)
	p.zeros(1) // padding
}

func appendSimAPIWheels(p *packet, s *Sample) {
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.Spin })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, i int) float64 { return 2 * s.Scene.Radius[i/2] })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return -w.SlipRatio })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.SlipAngle })...)
}

// appendSimAPITires appends temperatures [°C], wear, pressures [psi] and the places where tires touch the ground.
func appendSimAPITires(p *packet, s *Sample) {
	w := &s.Frame.Wheels
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.BrakeTemperature })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.TireWear })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.TireTemperature })...)
	p.f64(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.TirePressure / 1e5 * psiOfBar })...)
	for axis := range 3 {
		for i := range w {
			at := rightAheadUp(w[i].Pos)
			if axis == 2 {
				at[2] -= s.Scene.Radius[i/2]
			}
			p.f64(at[axis])
		}
	}
}

func appendSimAPILaps(p *packet, s *Sample) {
	f, l := s.Frame, &s.Frame.Lap
	around := share(l.Distance, s.Scene.LapLength)
	p.f64(l.Distance, around, s.Scene.LapLength)
	p.u32(0) // place on the track
	p.u32(0) // samples of it
	for _, t := range [...]float64{l.Last, l.Best, l.Time} {
		appendLapTime(p, t)
	}
	p.u32(l.Time)
	p.u32(l.Last)
	p.u32(0)
	appendLapTime(p, float64(f.Tick)/1000)
	p.u8(0) // session
	p.u8(float64(l.Sector))
	p.zeros(2) // padding
	p.f64(l.Splits[0], l.Splits[1])
	last := 0.0
	if l.Sector > 0 && l.Sector <= frame.MaxSectors {
		last = 1000 * l.Splits[l.Sector-1]
	}
	p.u32(last)
	p.u8(0) // flags of course and player: green
	p.u8(0)
	p.flag(l.Number > 0 && !s.has(frame.LapInvalid))

}

// appendLapTime appends hours, minutes, seconds and milliseconds.
func appendLapTime(p *packet, seconds float64) {
	ms := math.Round(1000 * bounded(seconds, 0, 1e6))
	p.u32(math.Floor(ms / 3_600_000))
	p.u32(math.Mod(math.Floor(ms/60_000), 60))
	p.u32(math.Mod(math.Floor(ms/1000), 60))
	p.u32(math.Mod(ms, 1000))
}

// appendSimAPITail appends which simulator runs: simapi's own code of a test, because rig has none.
func appendSimAPITail(p *packet, on bool) {
	p.zeros(4) // simapi; padding
	p.u64(0)   // simexe
	p.flag(on)
	p.u8(simAPIVersion)
	p.zeros(2) // padding
}

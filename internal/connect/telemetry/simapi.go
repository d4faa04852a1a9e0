package telemetry

import (
	"math"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/frame"
)

// appendSimAPI appends the content of the shared memory SIMAPI.DAT, which monocoque and simmonitor read. The slip ratio is
// positive for a wheel that locks and negative for one that spins, as monocoque's haptic effects take it. Which simulator
// runs is simapi's own code of a test, because rig has none.
func appendSimAPI(b []byte, s *Sample) []byte {
	const airDensity = 1.2 // [kg/m³]
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := angles(&a)
	p := packets.SimData{
		MTick: f.Tick, PrevMTick: f.Tick, // grow with each write
		SimStatus: packets.SimMenu, Velocity: u32(math.Round(abs(f.Speed) * 3.6)), RPMs: u32(math.Round(f.RPM)), Gear: u32(s.gearFromReverse()),
		MaxRPM: u32(math.Round(s.Scene.MaxRPM)), IdleRPM: u32(math.Round(s.Scene.IdleRPM)), MaxGears: u32(float64(s.Scene.ForwardGears)),
		Altitude: u32(f.Pos[2]), Lap: u32(float64(f.Lap.Number)), Position: 1, PlayerLaps: u32(float64(f.Lap.Count)), NumCars: 1,
		LocalVelocity: vector64(rightAheadUp(a.ToBody(f.Vel))), WorldVelocity: vector64(rightAheadUp(f.Vel)),
		Gas: f64(f.Throttle), Brake: f64(f.Brake), Fuel: f64(f.Fuel), FuelCapacity: f64(s.Scene.TankCapacity), Clutch: f64(f.Clutch),
		Steer: f64(s.steer()), Handbrake: f64(f.Handbrake), TurboBoost: f64(f.Boost), TurboBoostPercent: f64(f.Boost), MaxTurbo: 1,
		ABS: number(s.has(frame.ABSActive)), Distance: f64(f.Distance), Heading: f64(-yaw * degrees), Pitch: f64(-pitch * degrees), Roll: f64(roll * degrees),
		WorldPos: vector64(rightAheadUp(f.Pos)), AirDensity: airDensity, SimOn: true, SimAPIVersion: packets.SimVersion,
	}
	if s.isDriving() {
		p.SimStatus = packets.SimActivePlay
	}
	setText(p.GearC[:], frame.GearName(f.Gear))
	setText(p.Car[:], s.Scene.CarName)
	setText(p.Track[:], s.Scene.TrackName)
	setSimAPIWheels(&p, s)
	setSimAPILaps(&p, s)
	return packets.Append(b, &p)
}

// setSimAPIWheels sets speeds, slip, temperatures [°C], wear, pressures [psi] and the places where tires touch the ground.
func setSimAPIWheels(p *packets.SimData, s *Sample) {
	for i := range s.Frame.Wheels {
		w, radius := &s.Frame.Wheels[i], s.Scene.Radius[i/2]
		p.TyreRPS[i], p.TyreDiameter[i], p.TyreSlipRatio[i], p.TyreSlipAngle[i] = f64(w.Spin), f64(2*radius), f64(-w.SlipRatio), f64(w.SlipAngle)
		p.BrakeTemp[i], p.TyreWear[i], p.TyreTemp[i] = f64(w.BrakeTemperature), f64(w.TireWear), f64(w.TireTemperature)
		p.TyrePressure[i] = f64(w.TirePressure / 1e5 * psiOfBar)
		at := rightAheadUp(w.Pos)
		p.TyreContact[0][i], p.TyreContact[1][i], p.TyreContact[2][i] = f64(at[0]), f64(at[1]), f64(at[2]-radius)
		p.Suspension[i], p.SuspVelocity[i] = f64(w.Travel), f64(w.TravelSpeed)
	}
}

func setSimAPILaps(p *packets.SimData, s *Sample) {
	l := &s.Frame.Lap
	p.TrackDistanceAround, p.PlayerSpline, p.TrackSpline = f64(l.Distance), f64(share(l.Distance, s.Scene.LapLength)), f64(s.Scene.LapLength)
	p.LastLap, p.BestLap, p.CurrentLap = lapTime(l.Last), lapTime(l.Best), lapTime(l.Time)
	p.CurrentLapInSeconds, p.LastLapInSeconds = u32(l.Time), u32(l.Last)
	p.SessionTime = lapTime(float64(s.Frame.Tick) / 1000)
	p.SectorIndex, p.Sector1Time, p.Sector2Time = u8(float64(l.Sector)), f64(l.Splits[0]), f64(l.Splits[1])
	if l.Sector > 0 && l.Sector <= frame.MaxSectors {
		p.LastSectorInMS = u32(1000 * l.Splits[l.Sector-1])
	}
	p.LapIsValid = l.Number > 0 && !s.has(frame.LapInvalid)
}

func lapTime(seconds float64) packets.LapTime {
	ms := uint32(math.Round(1000 * bounded(seconds, 0, 1e6)))
	return packets.LapTime{Hours: ms / 3_600_000, Minutes: ms / 60_000 % 60, Seconds: ms / 1000 % 60, Fraction: ms % 1000}
}

package telemetry_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/road"
)

// instruments returns a sample of which every number on the instruments is another one.
func instruments(t *testing.T) *telemetry.Sample {
	t.Helper()
	s := newDriven(t, road.Asphalt(), 25, 4).sample()
	f := s.Frame
	f.Tick, f.Flags = 123_456, frame.EngineRunning
	f.RPM, f.EngineTorque = 4321, 210
	f.Throttle, f.Brake, f.Clutch, f.Handbrake = 0.8, 0.4, 0.2, 0.6
	f.Steer = -1.4
	f.Fuel, f.Charge, f.Boost = 21, 0.35, 0.5
	f.Distance, f.Station = 5150, 640
	f.Lap = frame.Lap{Number: 4, Count: 3, Time: 31.25, Distance: 612, Last: 83.5, Best: 82.125, Delta: 0.3, Sectors: 3, Sector: 1, Splits: [frame.MaxSectors]float64{27.75}}
	for i := range f.Wheels {
		f.Wheels[i].Steer = -0.1
	}
	return s
}

func TestGears(t *testing.T) {
	for _, g := range []int64{-1, 0, 1, 2, 6} {
		s := instruments(t)
		s.Frame.Gear = g
		for _, f := range formats {
			if m := f.sent(t, s); m.Gear != "" && m.Gear != frame.GearName(g) {
				t.Errorf("%s: gear %q, want %q", f.name, m.Gear, frame.GearName(g))
			}
		}
		p := packet(t, packets.ParseSimAPI, "simapi", s)
		if text := textOf(p.GearC[:]); text != frame.GearName(g) {
			t.Errorf("simapi: gear %q as text, want %q", text, frame.GearName(g))
		}
	}
}

// textOf returns a text up to its first zero byte.
func textOf(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

func TestInstrumentsOfOutGauge(t *testing.T) {
	s := instruments(t)
	p := packet(t, packets.ParseOutGauge, "outgauge", s)
	within(t, "time [ms]", float64(p.Time), 123_456, 0)
	within(t, "engine speed", float64(p.RPM), 4321, 1e-3)
	within(t, "speed", float64(p.Speed), 25, 1e-3)
	within(t, "throttle", float64(p.Throttle), 0.8, 1e-6)
	within(t, "brake", float64(p.Brake), 0.4, 1e-6)
	within(t, "clutch", float64(p.Clutch), 0.2, 1e-6)
	within(t, "fuel", float64(p.Fuel), 0.35, 1e-6)
	if p.Flags&(packets.OutGaugeKM|packets.OutGaugeBar) != packets.OutGaugeKM|packets.OutGaugeBar {
		t.Errorf("flags %x: must be those of kilometers and bar", p.Flags)
	}
	if p.Car == [4]byte{} {
		t.Error("the car has no name")
	}
}

func TestLightsOfOutGauge(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(f *frame.Frame)
		want uint32
	}{
		{"none", func(*frame.Frame) {}, 0},
		{"handbrake", func(f *frame.Frame) { f.Handbrake = 1 }, packets.LightHandbrake},
		{"pit limiter", func(f *frame.Frame) { f.Flags |= frame.PitLimiterOn }, packets.LightPitSpeed},
		{"traction control", func(f *frame.Frame) { f.Flags |= frame.TractionActive }, packets.LightTC},
		{"ABS", func(f *frame.Frame) { f.Flags |= frame.ABSActive }, packets.LightABS},
		{"shift up", func(f *frame.Frame) { f.RPM = 6900 }, packets.LightShift},
	} {
		s := instruments(t)
		s.Frame.Handbrake, s.Frame.ABS, s.Frame.Traction = 0, 5, 5
		tt.edit(s.Frame)
		p := packet(t, packets.ParseOutGauge, "outgauge", s)
		const known = packets.LightHandbrake | packets.LightPitSpeed | packets.LightTC | packets.LightABS | packets.LightShift
		if p.ShowLights&known != tt.want || p.ShowLights&^p.DashLights != 0 {
			t.Errorf("%s: lights %x of %x are on, want %x", tt.name, p.ShowLights, p.DashLights, tt.want)
		}
	}
}

func TestInstrumentsOfOutSim(t *testing.T) {
	s := instruments(t)
	p := packet(t, packets.ParseOutSim, "outsim", s)
	within(t, "time [ms]", float64(p.Time), 123_456, 0)
	within(t, "throttle", float64(p.Throttle), 0.8, 1e-6)
	within(t, "brake", float64(p.Brake), 0.4, 1e-6)
	within(t, "clutch", float64(p.Clutch), 0.2, 1e-6)
	within(t, "handbrake", float64(p.Handbrake), 0.6, 1e-6)
	within(t, "angle of the road wheels", float64(p.InputSteer), -0.1, 1e-3)
	within(t, "engine [rad/s]", float64(p.EngineAngVel), 4321*math.Pi/30, 1e-3)
	within(t, "driven in this lap", float64(p.CurrentLapDist), 612, 1e-3)
	within(t, "place on the track", float64(p.IndexedDistance), 640, 1e-3)
}

func TestInstrumentsOfForza(t *testing.T) {
	s := instruments(t)
	p := packet(t, packets.ParseForza, "forza", s)
	within(t, "race is on", float64(p.IsRaceOn), 1, 0)
	within(t, "time [ms]", float64(p.TimestampMS), 123_456, 0)
	within(t, "engine speed", float64(p.CurrentEngineRPM), 4321, 1e-3)
	within(t, "idle speed", float64(p.EngineIdleRPM), 900, 1e-3)
	within(t, "highest engine speed", float64(p.EngineMaxRPM), 7000, 1e-3)
	within(t, "torque", float64(p.Torque), 210, 1e-3)
	within(t, "power", float64(p.Power), 210*4321*math.Pi/30, 1)
	within(t, "throttle", float64(p.Accel), 0.8*255, 0.5)
	within(t, "brake", float64(p.Brake), 0.4*255, 0.5)
	within(t, "clutch", float64(p.Clutch), 0.2*255, 0.5)
	within(t, "handbrake", float64(p.HandBrake), 0.6*255, 0.5)
	within(t, "steering to the right", float64(p.Steer), 127*1.4/s.Scene.SteerLock, 0.5)
	within(t, "fuel", float64(p.Fuel), 0.35, 1e-6)
	within(t, "distance", float64(p.DistanceTraveled), 5150, 1e-2)
	within(t, "best lap", float64(p.BestLap), 82.125, 1e-4)
	within(t, "last lap", float64(p.LastLap), 83.5, 1e-4)
	within(t, "present lap", float64(p.CurrentLap), 31.25, 1e-4)
	within(t, "laps before this one", float64(p.LapNumber), 3, 0)
	within(t, "drivetrain: all wheels", float64(p.DrivetrainType), 2, 0)
}

func TestInstrumentsOfDirt(t *testing.T) {
	s := instruments(t)
	p := packet(t, packets.ParseDirt, "dirt", s)
	within(t, "time", float64(p.RunTime), 123.456, 1e-4)
	within(t, "lap time", float64(p.LapTime), 31.25, 1e-5)
	within(t, "engine speed", 10*float64(p.EngineRate), 4321, 1e-2)
	within(t, "idle speed", 10*float64(p.IdleRate), 900, 1e-2)
	within(t, "highest engine speed", 10*float64(p.MaxRate), 7000, 1e-2)
	within(t, "gears", float64(p.MaxGears), 6, 0)
	within(t, "throttle", float64(p.Throttle), 0.8, 1e-6)
	within(t, "brake", float64(p.Brake), 0.4, 1e-6)
	within(t, "clutch", float64(p.Clutch), 0.2, 1e-6)
	within(t, "steering to the right", float64(p.Steer), 1.4/s.Scene.SteerLock, 1e-5)
	within(t, "fuel", float64(p.Fuel), 21, 1e-5)
	within(t, "tank", float64(p.FuelCapacity), 60, 1e-5)
	within(t, "sector", float64(p.Sector), 1, 0)
	within(t, "time of the first sector", float64(p.Sector1), 27.75, 1e-5)
	within(t, "laps before this one", float64(p.Lap), 3, 0)
	within(t, "finished laps", float64(p.LapsCompleted), 3, 0)
	within(t, "last lap", float64(p.LastLap), 83.5, 1e-4)
	within(t, "length of the track", float64(p.TrackLength), 1500, 1e-3)
}

func TestInstrumentsOfSimAPI(t *testing.T) {
	s := instruments(t)
	p := packet(t, packets.ParseSimAPI, "simapi", s)
	within(t, "status: driving", float64(p.SimStatus), 2, 0)
	within(t, "engine speed", float64(p.RPMs), 4321, 0.5)
	within(t, "idle speed", float64(p.IdleRPM), 900, 0.5)
	within(t, "highest engine speed", float64(p.MaxRPM), 7000, 0.5)
	within(t, "gears", float64(p.MaxGears), 6, 0)
	within(t, "speed [km/h]", float64(p.Velocity), 90, 0.5)
	within(t, "throttle", p.Gas, 0.8, 1e-9)
	within(t, "brake", p.Brake, 0.4, 1e-9)
	within(t, "clutch", p.Clutch, 0.2, 1e-9)
	within(t, "handbrake", p.Handbrake, 0.6, 1e-9)
	within(t, "steering to the right", p.Steer, 1.4/s.Scene.SteerLock, 1e-9)
	within(t, "fuel", p.Fuel, 21, 1e-9)
	within(t, "tank", p.FuelCapacity, 60, 1e-9)
	within(t, "present lap", p.CurrentLap.InSeconds(), 31.25, 1e-9)
	within(t, "last lap", p.LastLap.InSeconds(), 83.5, 1e-9)
	within(t, "best lap", p.BestLap.InSeconds(), 82.125, 1e-9)
	within(t, "sector", float64(p.SectorIndex), 1, 0)
	within(t, "finished laps", float64(p.PlayerLaps), 3, 0)
	if car, track := textOf(p.Car[:]), textOf(p.Track[:]); car != "coupe" || track != "club" || !p.LapIsValid || !p.SimOn {
		t.Errorf("car %q, track %q, lap valid %t, on %t", car, track, p.LapIsValid, p.SimOn)
	}
	s.Frame.Flags |= frame.LapInvalid
	if p = packet(t, packets.ParseSimAPI, "simapi", s); p.LapIsValid {
		t.Error("simapi: a lap that does not count is valid")
	}
}

// The line of text has the numbers of the frame in its own units and axes.
func TestJSONHasTheNumbersOfTheFrame(t *testing.T) {
	s := instruments(t)
	f := s.Frame
	f.Pos, f.Vel = [3]float64{101.5, -202.25, 3.125}, [3]float64{20.5, -14.25, 0.75}
	f.Acc, f.Rate = [3]float64{1.5, -2.5, 0.375}, [3]float64{0.0625, -0.125, 0.3125}
	p := packet(t, parseJSON, "json", s)
	for name, v := range map[string]float64{
		"speed": f.Speed, "engine speed": f.RPM, "throttle": f.Throttle, "brake": f.Brake, "clutch": f.Clutch, "steering": f.Steer, "position": f.Pos[1], "velocity": f.Vel[1],
		"acceleration": f.Acc[1], "angular velocity": f.Rate[1], "load": f.Wheels[2].Load, "lap time": f.Lap.Time, "last lap": f.Lap.Last,
	} {
		if !p.has(v) {
			t.Errorf("%s, %g, is not in the line", name, v)
		}
	}
	if all := strings.Join(p.texts, " "); !strings.Contains(all, "coupe") || !strings.Contains(all, "club") {
		t.Errorf("texts %q: must name car and track", p.texts)
	}
}

// everyFormat is formats with json.
var everyFormat = append([]format{{"json", func(b []byte) (packets.Motion, error) {
	_, err := parseJSON(b)
	return packets.Motion{}, err
}, nil}}, formats...)

// What the car or the drive does not have leaves the packets whole: no NaN, no Inf, no missing byte.
func TestPacketsOfUnknownsAreWhole(t *testing.T) {
	for name, edit := range map[string]func(s *telemetry.Sample){
		"nothing known": func(s *telemetry.Sample) { *s = telemetry.Sample{Frame: &frame.Frame{}, Scene: &frame.Scene{}} },
		"an electric car without laps": func(s *telemetry.Sample) {
			f := s.Frame
			f.Fuel, f.Charge, f.Lap = math.NaN(), math.NaN(), frame.Lap{Delta: math.NaN()}
			for i := range f.Wheels {
				f.Wheels[i].TirePressure, f.Wheels[i].TireTemperature, f.Wheels[i].BrakeTemperature = math.NaN(), math.NaN(), math.NaN()
			}
			s.Scene.Electric, s.Scene.TankCapacity, s.Scene.LapLength = 1, 0, 0
		},
		"long names": func(s *telemetry.Sample) {
			s.Scene.CarName, s.Scene.TrackName = strings.Repeat("ä", 200), strings.Repeat("\"\n", 100)
		},
		"beyond what the fields hold": func(s *telemetry.Sample) {
			f := s.Frame
			f.Throttle, f.Steer, f.RPM, f.Gear, f.Tick, f.Lap.Number = 1.5, 100, 1e12, 300, math.MaxUint64, math.MaxUint64
			f.Lap.Time, f.Lap.Last = 1e9, 1e9
		},
	} {
		for _, f := range everyFormat {
			s := instruments(t)
			edit(s)
			if _, err := f.read(telemetry.Append(nil, f.name, s)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// No number that a frame may hold becomes NaN or Inf in a packet of numbers.
func TestPacketsHoldNoNaN(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64} {
		s := &telemetry.Sample{Frame: &frame.Frame{}, Scene: &frame.Scene{}, AngularAcceleration: [3]float64{bad, bad, bad}}
		fill(reflect.ValueOf(s.Frame).Elem(), bad)
		fill(reflect.ValueOf(&s.Scene.Car).Elem(), bad)
		for _, f := range formats {
			if _, err := f.read(telemetry.Append(nil, f.name, s)); err != nil {
				t.Errorf("%g: %v", bad, err)
			}
		}
	}
}

func fill(v reflect.Value, number float64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), number)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), number)
		}
	case reflect.Float64:
		v.SetFloat(number)
	}
}

// A packet is appended to what is there.
func TestAppendAppends(t *testing.T) {
	s := instruments(t)
	for _, f := range everyFormat {
		b := telemetry.Append([]byte("before"), f.name, s)
		if packet, ok := bytes.CutPrefix(b, []byte("before")); !ok || !bytes.Equal(packet, telemetry.Append(nil, f.name, s)) {
			t.Errorf("%s: %d bytes, %.20q", f.name, len(b), b)
		}
	}
}

// A car further away than a format can say is at the end of its range, not on the opposite side.
func TestPlacesFarAwayKeepTheirSide(t *testing.T) {
	for _, far := range []float64{40_000, -40_000} {
		s := instruments(t)
		s.Frame.Pos = [3]float64{far, 0, 0}
		for _, f := range formats {
			m := f.sent(t, s)
			if math.IsNaN(m.Pos[0]) {
				continue
			}
			turn := m.Heading - motionOf(s.Frame).Heading
			along := math.Cos(turn)*m.Pos[0] + math.Sin(turn)*m.Pos[1]
			if along*far <= 0 || math.Abs(along) < 30_000 {
				t.Errorf("%s: at %.0f m, want %.0f m", f.name, along, far)
			}
		}
	}
}

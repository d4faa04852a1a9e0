package packets

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"
)

// put returns size bytes of which some are set, from the given offsets on.
func put(size int, at map[int]any) []byte {
	b := make([]byte, size)
	for offset, v := range at {
		if text, ok := v.(string); ok {
			copy(b[offset:], text)
		} else if _, err := binary.Encode(b[offset:], binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b
}

// Bytes at offsets that the sources give are the fields that they belong to.
func TestFieldsLieWhereTheSourcesHaveThem(t *testing.T) {
	gauge, err := ParseOutGauge(put(92, map[int]any{0: uint32(7), 4: "XRT", 8: uint16(OutGaugeKM), 10: uint8(3), 12: float32(20), 16: float32(3000),
		28: float32(0.5), 40: uint32(LightABS), 44: uint32(LightTC), 48: float32(0.1), 52: float32(0.2), 56: float32(0.3), 60: "one", 76: "two"}))
	check(t, err, gauge.Time == 7, string(gauge.Car[:]) == "XRT\x00", gauge.Flags == 1<<14, gauge.Gear == 3, gauge.Speed == 20, gauge.RPM == 3000, gauge.Fuel == 0.5,
		gauge.DashLights == 1<<10, gauge.ShowLights == 1<<4, gauge.Throttle == 0.1, gauge.Brake == 0.2, gauge.Clutch == 0.3, gauge.Display1[0] == 'o', gauge.Display2[0] == 't')

	sim, err := ParseOutSim(put(280, map[int]any{0: "LFST", 4: int32(-1), 8: uint32(9), 0x0c: float32(1), 0x18: float32(2), 0x24: float32(3), 0x30: float32(4), 0x3c: int32(-65536),
		0x48: float32(0.1), 0x50: float32(-0.2), 0x5c: uint8(2), 0x60: float32(100), 0x68: float32(5), 0x70: float32(6), 0x70 + 32: float32(0.7), 0x98 + 16: float32(4000), 0x110: float32(8)}))
	check(t, err, sim.ID == -1, sim.Time == 9, sim.AngVel[0] == 1, sim.Heading == 2, sim.Accel[0] == 3, sim.Vel[0] == 4, sim.Pos[0] == -65536, sim.Throttle == 0.1, sim.InputSteer == -0.2,
		sim.Gear == 2, sim.EngineAngVel == 100, sim.CurrentLapDist == 5, sim.Wheels[0].SuspDeflect == 6, sim.Wheels[0].SlipRatio == 0.7, sim.Wheels[1].VerticalLoad == 4000, sim.SteerTorque == 8)

	f, err := ParseForza(put(324, map[int]any{0: int32(1), 4: uint32(5), 16: float32(3000), 20: float32(1), 32: float32(2), 44: float32(3), 56: float32(0.4), 84: float32(0.5), 100: float32(9),
		180: float32(0.6), 196: float32(0.05), 244: float32(6), 256: float32(30), 260: float32(7e4), 284: float32(2), 288: float32(0.8), 296: float32(60), 300: float32(61), 304: float32(62), 312: uint16(4),
		315: uint8(255), 316: uint8(20), 317: uint8(30), 318: uint8(40), 319: uint8(2), 320: int8(-100)}))
	check(t, err, f.IsRaceOn == 1, f.TimestampMS == 5, f.CurrentEngineRPM == 3000, f.Acceleration[0] == 1, f.Velocity[0] == 2, f.AngularVelocity[0] == 3, f.Yaw == 0.4, f.TireSlipRatio[0] == 0.5,
		f.WheelRotationSpeed[0] == 9, f.TireCombinedSlip[0] == 0.6, f.SuspensionTravelMeters[0] == 0.05, f.Position[0] == 6, f.Speed == 30, f.Power == 7e4, f.Boost == 2, f.Fuel == 0.8,
		f.BestLap == 60, f.LastLap == 61, f.CurrentLap == 62, f.LapNumber == 4, f.Accel == 255, f.Brake == 20, f.Clutch == 30, f.HandBrake == 40, f.Gear == 2, f.Steer == -100)

	b, err := ParseBeamNG(put(88, map[int]any{0: "BNG1", 4: float32(1), 16: float32(2), 28: float32(3), 40: float32(4), 52: float32(5), 64: float32(6), 76: float32(7), 84: float32(8)}))
	check(t, err, b.Pos[0] == 1, b.Vel[0] == 2, b.Acc[0] == 3, b.Up[0] == 4, b.Roll == 5, b.RollRate == 6, b.RollAcc == 7, b.YawAcc == 8)

	d, err := ParseDirt(put(264, map[int]any{0: float32(1), 4 * 7: float32(20), 4 * 11: float32(1), 4 * 16: float32(-1), 4 * 17: float32(3), 4 * 25: float32(4), 4 * 30: float32(-0.5), 4 * 33: float32(-1),
		4 * 34: float32(0.6), 4 * 37: float32(300), 4 * 51: float32(200), 4 * 61: float32(5000), 4 * 65: float32(6)}))
	check(t, err, d.RunTime == 1, d.Speed == 20, d.Right[0] == 1, d.Forward[2] == -1, d.Suspension[0] == 3, d.WheelSpeed[0] == 4, d.Steer == -0.5, d.Gear == -1, d.GLat == 0.6, d.EngineRate == 300,
		d.BrakeTemp[0] == 200, d.TrackLength == 5000, d.MaxGears == 6)
}

// Each format is written as it is read: every field has a value of its own, and keeps it.
func TestEachFormatIsWrittenAsItIsRead(t *testing.T) {
	roundTrip(t, OutGauge{})
	roundTrip(t, OutSim{})
	roundTrip(t, Forza{})
	roundTrip(t, BeamNG{})
	roundTrip(t, Dirt{})
	roundTrip(t, SimData{})
}

func roundTrip[P any](t *testing.T, p P) {
	t.Helper()
	n := 0
	setNumbers(reflect.ValueOf(&p).Elem(), &n)
	b := Append([]byte("before"), &p)
	var q P
	if err := decode("test", b[len("before"):], &q); err != nil || !reflect.DeepEqual(p, q) || string(b[:len("before")]) != "before" {
		t.Errorf("%T: %v\n%+v, want\n%+v", p, err, q, p)
	}
}

// setNumbers sets the numbers in v to n+1, n+2, …, alternately with a sign where they have one.
func setNumbers(v reflect.Value, n *int) {
	*n++
	signed := int64(*n) * int64(1-*n%2*2)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			setNumbers(v.Field(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			setNumbers(v.Index(i), n)
		}
	case reflect.Bool:
		v.SetBool(*n%2 == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(signed) / 4)
	case reflect.Int8, reflect.Int32:
		v.SetInt(signed % 100)
	default:
		if v.CanSet() { // not padding
			v.SetUint(uint64(*n) % 256)
		}
	}
}

func check(t *testing.T, err error, right ...bool) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	for i, ok := range right {
		if !ok {
			t.Errorf("field %d of the list has another value", i)
		}
	}
}

// The offsets are those that gcc 12 gives the fields of the real header on amd64.
func TestSimDataLiesInMemoryAsACompilerLaysItOut(t *testing.T) {
	if size := binary.Size(SimData{}); size != 46044 {
		t.Errorf("%d bytes, want 46044", size)
	}
	offsets, at := map[string]int{}, 0
	for i := range reflect.TypeFor[SimData]().NumField() {
		f := reflect.TypeFor[SimData]().Field(i)
		offsets[f.Name] = at
		at += binary.Size(reflect.Zero(f.Type).Interface())
	}
	for name, want := range map[string]int{
		"PrevMTick": 8, "SimStatus": 16, "Velocity": 20, "RPMs": 24, "Gear": 28, "MaxRPM": 36, "IdleRPM": 40, "MaxGears": 44, "Lap": 52, "PlayerLaps": 64, "NumCars": 68, "GearC": 72,
		"LocalVelocity": 76, "WorldVelocity": 100, "Gas": 124, "Handbrake": 172, "TurboBoost": 180, "ABS": 204, "TyreRPS": 220, "TyreDiameter": 252, "TyreSlipRatio": 284, "TyreSlipAngle": 316,
		"Distance": 348, "Heading": 356, "WorldPos": 380, "BrakeTemp": 404, "TyrePressure": 500, "AirDensity": 628, "Suspension": 652, "SuspVelocity": 684, "TrackDistanceAround": 716, "TrackSpline": 732,
		"PlayerTrackPos": 740, "LastLap": 748, "BestLap": 764, "CurrentLap": 780, "CurrentLapInSeconds": 796, "LastLapInSeconds": 800, "SessionTime": 808, "Session": 824, "SectorIndex": 825,
		"Sector1Time": 828, "LastSectorInMS": 844, "CourseFlag": 848, "LapIsValid": 850, "Car": 851, "Track": 979, "TyreCompound": 1235, "Cars": 1364, "Proximity": 45908, "SimAPI": 46028,
		"SimEXE": 46032, "SimOn": 46040, "SimAPIVersion": 46041,
	} {
		if offsets[name] != want {
			t.Errorf("%s is at %d, want %d", name, offsets[name], want)
		}
	}
	p, err := ParseSimAPI(put(46044, map[int]any{28: uint32(1), 356: -90.0, 748 + 12: uint32(250), 850: uint8(1), 851: "coupe", 46041: uint8(1)}))
	check(t, err, p.Gear == 1, p.Heading == -90, p.LastLap.InSeconds() == 0.25, p.LapIsValid, strings.HasPrefix(string(p.Car[:]), "coupe\x00"))
}

func TestWrongPacketsAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	outgauge := func(b []byte) error { _, err := ParseOutGauge(b); return err }
	outsim := func(b []byte) error { _, err := ParseOutSim(b); return err }
	forza := func(b []byte) error { _, err := ParseForza(b); return err }
	beamng := func(b []byte) error { _, err := ParseBeamNG(b); return err }
	dirt := func(b []byte) error { _, err := ParseDirt(b); return err }
	simapi := func(b []byte) error { _, err := ParseSimAPI(b); return err }
	for _, tt := range []struct {
		name  string
		parse func([]byte) error
		b     []byte
		want  string
	}{
		{"short outgauge", outgauge, make([]byte, 91), "outgauge: 91 bytes, must be 92"},
		{"outgauge with an ID", outgauge, make([]byte, 96), "96 bytes"},
		{"outgauge of no speed", outgauge, put(92, map[int]any{12: nan}), "Speed: NaN"},
		{"basic outsim", outsim, make([]byte, 64), "64 bytes"},
		{"outsim without its header", outsim, make([]byte, 280), `must be "LFST"`},
		{"outsim with a wheel of no load", outsim, put(280, map[int]any{0: "LFST", 0x98 + 16: nan}), "Wheels: [1]: VerticalLoad: NaN"},
		{"Motorsport's packet", forza, make([]byte, 311), "311 bytes"},
		{"forza of no race", forza, put(324, map[int]any{0: int32(2)}), "IsRaceOn 2"},
		{"forza in a gear beyond neutral", forza, put(324, map[int]any{319: uint8(12)}), "gear 12"},
		{"another BeamNG", beamng, put(88, map[int]any{0: "BNG2"}), `"BNG2"`},
		{"dirt of extradata 0", dirt, make([]byte, 68), "68 bytes"},
		{"simapi of version 0", simapi, make([]byte, 46044), "version 0"},
		{"simapi with half a bool", simapi, put(46044, map[int]any{850: uint8(2), 46041: uint8(1)}), "LapIsValid: 2 is no bool"},
	} {
		if err := tt.parse(tt.b); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

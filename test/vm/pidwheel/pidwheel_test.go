package pidwheel

import (
	"encoding/hex"
	"math"
	"reflect"
	"testing"
	"time"
)

const ms = time.Millisecond

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name    string
		in      string
		feature bool
		want    Report
	}{
		{"create a spring", "11080000", true, Report{Kind: Create, Type: TypeSpring}},
		{"effect", "110201" + "c800" + "0000" + "0a00" + "ff" + "00" + "02" + "2823" + "0000", false,
			Report{Kind: SetEffect, Slot: 2, Type: TypeConstant, Timing: Timing{200 * ms, 10 * ms}, Gain: 1, Direction: math.Pi / 2}},
		{"endless effect", "110201" + "ffff" + "0000" + "0000" + "ff" + "00" + "02" + "0000" + "0000", false,
			Report{Kind: SetEffect, Slot: 2, Type: TypeConstant, Gain: 1}},
		{"envelope", "1203" + "8813" + "0000" + "6400" + "3200", false,
			Report{Kind: SetEnvelope, Slot: 3, Envelope: Envelope{0.5, 0, 100 * ms, 50 * ms}}},
		{"condition", "130101" + "f0d8" + "8813" + "8813" + "1027" + "1027" + "e803", false,
			Report{Kind: SetCondition, Slot: 1, Axis: 1, Condition: Condition{-1, 0.5, 0.5, 1, 1, 0.1}}},
		{"periodic", "1401" + "1027" + "0000" + "2823" + "3200", false,
			Report{Kind: SetPeriodic, Slot: 1, Periodic: Periodic{1, 0, math.Pi / 2, 50 * ms}}},
		{"constant", "150178ec", false, Report{Kind: SetConstant, Slot: 1, Level: -0.5}},
		{"ramp", "16018813f0d8", false, Report{Kind: SetRamp, Slot: 1, Level: 0.5, LevelEnd: -1}},
		{"start for ever", "1a0101ff", false, Report{Kind: Start, Slot: 1}},
		{"start once", "1a010101", false, Report{Kind: Start, Slot: 1, Loops: 1}},
		{"start alone", "1a010203", false, Report{Kind: StartAlone, Slot: 1, Loops: 3}},
		{"stop", "1a010301", false, Report{Kind: Stop, Slot: 1, Loops: 1}},
		{"free", "1b07", false, Report{Kind: Free, Slot: 7}},
		{"reset", "1c04", false, Report{Kind: Control, Command: Reset}},
		{"full gain", "1dff", false, Report{Kind: SetGain, Gain: 1}},
		{"cut short", "1501ff", false, Report{}},
		{"unknown", "ee01ff", false, Report{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := unhex(t, test.in)
			test.want.Data = in
			if got := decode(in, test.feature); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func FuzzReportsLeaveAFiniteForce(f *testing.F) {
	f.Add([]byte{0x11, 1, 1, 0, 0, 0, 0, 0, 0, 255, 0, 2, 0x28, 0x23, 0, 0}, false)
	f.Add([]byte{0x11, 4, 0, 0}, true)
	f.Fuzz(func(t *testing.T, in []byte, feature bool) {
		m := newMotor(2)
		m.apply(Report{Kind: Create, Type: TypeConstant})
		m.apply(Report{Kind: Control, Command: MotorOn})
		m.apply(decode(in, feature))
		m.apply(Report{Kind: Start, Slot: 1})
		for at := time.Duration(0); at < time.Second; at += 99 * ms {
			if force := m.force(at, Motion{0.5, -0.5, 1}); !(math.Abs(force) <= 1) {
				t.Fatalf("% x gives a force of %g", in, force)
			}
		}
	})
}

func TestInputByteForByte(t *testing.T) {
	in := Input{Steer: 0x1234, Gas: 1, Brake: 2, Clutch: 3, Buttons: 0x8001}
	const want = "01" + "3412" + "0100" + "0200" + "0300" + "0180"
	if got := hex.EncodeToString(in.report()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSlotsRunOutAndAreFreed(t *testing.T) {
	m := newMotor(2)
	answer := func(want string) {
		t.Helper()
		if got := hex.EncodeToString(m.blockLoad()); got != want {
			t.Errorf("block load %s, want %s", got, want)
		}
	}
	m.apply(Report{Kind: Create, Type: TypeConstant})
	answer("120101" + "4000") // slot 1, success, 64 bytes left
	m.apply(Report{Kind: Create, Type: TypeSpring})
	answer("120201" + "0000")
	m.apply(Report{Kind: Create, Type: TypeSpring})
	answer("120002" + "0000") // full
	m.apply(Report{Kind: Free, Slot: 1})
	m.apply(Report{Kind: Create, Type: TypeSine})
	answer("120101" + "0000")
	m.apply(Report{Kind: Control, Command: Reset})
	if m.usedSlots() != 0 {
		t.Errorf("%d slots taken after a reset", m.usedSlots())
	}
}

// playing returns a motor with one effect that started at 1 s.
func playing(kind Type, reports ...Report) *motor {
	m := newMotor(4)
	m.apply(Report{Kind: Control, Command: MotorOn})
	m.apply(Report{Kind: Create, Type: kind})
	for _, r := range reports {
		r.Slot = 1
		m.apply(r)
	}
	m.apply(Report{Kind: Start, Slot: 1, Loops: 1, At: time.Second})
	return &m
}

// setEffect is a report for an effect to the left with full gain.
func setEffect(kind Type, length time.Duration) Report {
	return Report{Kind: SetEffect, Type: kind, Gain: 1, Direction: math.Pi / 2, Timing: Timing{Length: length}}
}

func TestForce(t *testing.T) {
	condition := func(c Condition) Report { return Report{Kind: SetCondition, Condition: c} }
	soft := Condition{RightCoefficient: 0.5, LeftCoefficient: 0.5, RightLimit: 0.2, LeftLimit: 0.2, DeadBand: 0.1}
	constant := playing(TypeConstant, setEffect(TypeConstant, 100*ms), Report{Kind: SetConstant, Level: 0.5})
	attack := playing(TypeConstant, setEffect(TypeConstant, 0), Report{Kind: SetConstant, Level: -0.5},
		Report{Kind: SetEnvelope, Envelope: Envelope{AttackLevel: 1, AttackTime: 100 * ms}})
	ramp := playing(TypeRamp, setEffect(TypeRamp, 100*ms), Report{Kind: SetRamp, Level: 0, LevelEnd: 1})
	sine := playing(TypeSine, setEffect(TypeSine, 0), Report{Kind: SetPeriodic, Periodic: Periodic{0.5, 0.1, 0, 40 * ms}})
	spring := playing(TypeSpring, setEffect(TypeSpring, 0), condition(soft))
	damper := playing(TypeDamper, setEffect(TypeDamper, 0), condition(soft))
	friction := playing(TypeFriction, setEffect(TypeFriction, 0), condition(Condition{RightCoefficient: 0.3, LeftCoefficient: 0.3, RightLimit: 1, LeftLimit: 1}))
	tests := []struct {
		name  string
		motor *motor
		after time.Duration // since the start
		rim   Motion
		want  float64
	}{
		{"before the start", constant, -ms, Motion{}, 0},
		{"constant", constant, 50 * ms, Motion{}, 0.5},
		{"after its length", constant, 100 * ms, Motion{}, 0},
		{"attack begins", attack, 0, Motion{}, -1},
		{"attack half way", attack, 50 * ms, Motion{}, -0.75},
		{"attack is over", attack, 100 * ms, Motion{}, -0.5},
		{"ramp half way", ramp, 50 * ms, Motion{}, 0.5},
		{"sine at a quarter", sine, 10 * ms, Motion{}, 0.6},
		{"sine at three quarters, third period", sine, 110 * ms, Motion{}, -0.4},
		{"spring in its dead band", spring, 0, Motion{Position: 0.1}, 0},
		{"spring right of it", spring, 0, Motion{Position: 0.3}, 0.1},
		{"spring left of it", spring, 0, Motion{Position: -0.3}, -0.1},
		{"spring saturated", spring, 0, Motion{Position: 0.9}, 0.2},
		{"spring does not look at speed", spring, 0, Motion{Speed: 1}, 0},
		{"damper", damper, 0, Motion{Speed: -0.3, Position: 1}, -0.1},
		{"friction to the right", friction, 0, Motion{Speed: 3}, 0.3},
		{"friction to the left", friction, 0, Motion{Speed: -0.5}, -0.3},
		{"friction at rest", friction, 0, Motion{}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.motor.force(time.Second+test.after, test.rim); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("force %.6f, want %.6f", got, test.want)
			}
		})
	}
}

func TestCommandsToTheWholeWheel(t *testing.T) {
	tests := []struct {
		name   string
		report Report
		want   float64
	}{
		{"half gain", Report{Kind: SetGain, Gain: 0.5}, 0.4},
		{"motor off", Report{Kind: Control, Command: MotorOff}, 0},
		{"pause", Report{Kind: Control, Command: Pause}, 0},
		{"stop all", Report{Kind: Control, Command: StopAll}, 0},
		{"reset", Report{Kind: Control, Command: Reset}, 0},
		{"another effect starts alone", Report{Kind: StartAlone, Slot: 2}, 0},
		{"stop", Report{Kind: Stop, Slot: 1}, 0},
		{"free", Report{Kind: Free, Slot: 1}, 0},
		{"stop of another", Report{Kind: Stop, Slot: 2}, 0.8},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := playing(TypeConstant, setEffect(TypeConstant, 0), Report{Kind: SetConstant, Level: 0.8})
			m.apply(Report{Kind: Create, Type: TypeConstant})
			m.apply(test.report)
			if got := m.force(2*time.Second, Motion{}); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("force %.6f, want %.6f", got, test.want)
			}
		})
	}
}

func TestOnlyAStartResetsTheTime(t *testing.T) {
	m := playing(TypeConstant, setEffect(TypeConstant, 100*ms), Report{Kind: SetConstant, Level: 0.5})
	m.apply(Report{Kind: SetConstant, Slot: 1, Level: 0.6, At: time.Second + 90*ms})
	if got := m.force(time.Second+150*ms, Motion{}); got != 0 {
		t.Errorf("force %g after the length, for a new level alone; want 0", got)
	}
	m.apply(Report{Kind: Start, Slot: 1, Loops: 1, At: time.Second + 90*ms})
	if got := m.force(time.Second+150*ms, Motion{}); math.Abs(got-0.6) > 1e-9 {
		t.Errorf("force %g after another start, want 0.6", got)
	}
}

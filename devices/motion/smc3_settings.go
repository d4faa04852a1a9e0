package motion

import (
	"context"
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// unitGain is the unit of parameters that are kept in hundredths.
const unitGain = "1"

// smc3Part is which part of a frame's two bytes a parameter is.
type smc3Part int

const (
	smc3Word    smc3Part = iota // both, high byte first
	smc3First                   // the first
	smc3Second                  // the second
	smc3Divider                 // the upper half of the first, told with the state
)

// smc3Field is where a parameter is kept.
type smc3Field struct {
	wire.Parameter
	letter byte // of the command that writes it
	asked  byte // of the question for it
	part   smc3Part
}

// smc3Kinds are the parameters that each motor has, with the letters of the
// first.
var smc3Kinds = [...]smc3Field{
	{wire.Parameter{Name: "kp", High: 10, Unit: unitGain, Help: "how hard the motor pushes for each count it is off"}, 'D', 'D', smc3Word},
	{wire.Parameter{Name: "ki", High: 10, Unit: unitGain, Help: "how the push grows while it stays off"}, 'G', 'G', smc3Word},
	{wire.Parameter{Name: "kd", High: 10, Unit: unitGain, Help: "how much its speed is braked; too much is noisy"}, 'J', 'J', smc3Word},
	{wire.Parameter{Name: "ks", Low: 1, High: 255, Unit: "periods", Help: "over how many periods the speed for kd is measured; more is quieter and later"}, 'M', 'M', smc3Word},
	{wire.Parameter{Name: "pwm_min", High: 255, Unit: "of 255", Help: "the least duty that moves the motor"}, 'P', 'P', smc3First},
	{wire.Parameter{Name: "pwm_max", High: 255, Unit: "of 255", Help: "the most duty the motor gets"}, 'P', 'P', smc3Second},
	{wire.Parameter{Name: "cutoff", High: 255, Unit: "counts", Help: "feedback closer to an end than this switches the motor off; the first motor's counts for all at the lower end"}, 'S', 'S', smc3First},
	{wire.Parameter{Name: "clip", High: 255, Unit: "counts", Help: "targets keep so far from both ends; keep it above the cutoff"}, 'S', 'S', smc3Second},
	{wire.Parameter{Name: "dead_zone", High: 255, Unit: "counts", Help: "the motor rests when it is off by no more"}, 'V', 'V', smc3First},
	{wire.Parameter{Name: "pwm_reverse", High: 255, Unit: "of 255", Help: "duty that brings the motor back from beyond the clip; 0 for none"}, 'V', 'V', smc3Second},
}

// smc3Common are the parameters that all motors share.
var smc3Common = [...]smc3Field{
	{wire.Parameter{Name: "pid_divider", Low: 1, High: 10, Unit: "periods", Axis: -1, Help: "of 250 µs between two steps of the position control"}, 'Z', 'Y', smc3Divider},
	{wire.Parameter{Name: "pwm_frequency_1", Low: 1, High: 31, Unit: "kHz", Axis: -1, Help: "switching frequency of motors A and B"}, '~', '~', smc3First},
	{wire.Parameter{Name: "pwm_frequency_2", Low: 1, High: 31, Unit: "kHz", Axis: -1, Help: "of motor C: 31 from 15 up, else 4"}, '~', '~', smc3Second},
}

// smc3Settings are the parameters of the SMC3 firmware.
type smc3Settings struct{ fields []smc3Field }

func newSMC3Settings() smc3Settings {
	var s smc3Settings
	for _, kind := range smc3Kinds {
		for motor := range motors {
			f := kind
			f.Name = fmt.Sprintf("%s_%c", kind.Name, 'a'+motor)
			f.Axis = motor
			f.letter += byte(motor)
			f.asked += byte(motor)
			s.fields = append(s.fields, f)
		}
	}
	s.fields = append(s.fields, smc3Common[:]...)
	return s
}

func (s smc3Settings) table() []wire.Parameter {
	all := make([]wire.Parameter, len(s.fields))
	for i := range all {
		all[i] = s.fields[i].Parameter
	}
	return all
}

// read asks for each parameter.
func (s smc3Settings) read(ctx context.Context, t *wire.Talk) ([]wire.Parameter, error) {
	all := s.table()
	told := map[byte]frame{}
	for i, f := range s.fields {
		if _, ok := told[f.asked]; !ok {
			answer, err := smc3Ask(ctx, t, f.asked)
			if err != nil {
				return nil, fmt.Errorf("parameter %s: %w", f.Name, err)
			}
			told[f.asked] = answer
		}
		all[i].Value = f.value(told[f.asked])
	}
	return all, nil
}

// smc3Ask asks for what letter stands for.
func smc3Ask(ctx context.Context, t *wire.Talk, letter byte) (frame, error) {
	var in parser
	var told frame
	err := t.Ask(ctx, appendFrame(nil, frame{'r', 'd', letter}), func(b byte) bool {
		f, ok := in.feed(b)
		if ok && f.cmd == letter {
			told = f
			return true
		}
		return false
	})
	return told, err
}

// value takes a parameter out of a frame.
func (f smc3Field) value(in frame) float64 {
	switch f.part {
	case smc3First:
		return float64(in.b1)
	case smc3Second:
		return float64(in.b2)
	case smc3Divider:
		return float64(in.b1 >> 4)
	}
	if f.Unit == unitGain {
		return float64(in.value()) / 100
	}
	return float64(in.value())
}

// put sets a parameter in a frame.
func (f smc3Field) put(out *frame, v float64) {
	if f.part == smc3Word && f.Unit == unitGain {
		v *= 100
	}
	n := int(math.Round(v))
	switch f.part {
	case smc3Word:
		out.b1, out.b2 = byte(n>>8), byte(n)
	case smc3First, smc3Divider:
		out.b1 = byte(n)
	case smc3Second:
		out.b2 = byte(n)
	}
}

// write sends the frame that a parameter is in, with what else is in it.
func (s smc3Settings) write(t *wire.Talk, p wire.Parameter, all []wire.Parameter) error {
	var out frame
	for _, f := range s.fields {
		if f.Name == p.Name {
			out.cmd = f.letter
		}
	}
	for i, f := range s.fields {
		if f.letter == out.cmd {
			f.put(&out, all[i].Value)
		}
	}
	return t.Say(appendFrame(nil, out))
}

// save has the board write its EEPROM, which it does nothing else beside.
func (s smc3Settings) save(t *wire.Talk) error {
	if err := t.Say([]byte("[sav]")); err != nil {
		return err
	}
	time.Sleep(smc3SaveTime)
	_, err := smc3Ask(context.Background(), t, 'Y')
	return err
}

const smc3SaveTime = 300 * time.Millisecond // 53 bytes of 3.3 ms each, and some

package smc3

import (
	"context"
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// part is which part of a frame's two bytes a parameter is.
type part int

const (
	word    part = iota // both, high byte first
	first               // the first
	second              // the second
	divider             // the upper half of the first, told with the state
)

// field is where a parameter is kept.
type field struct {
	wire.Parameter
	letter byte // of the command that writes it
	asked  byte // of the question for it
	part   part
}

// kinds are the parameters that each motor has, with the letters of the
// first.
var kinds = [...]field{
	{wire.Parameter{Name: "kp", High: 10, Unit: wire.UnitGain, Help: "how hard the motor pushes for each count it is off"}, 'D', 'D', word},
	{wire.Parameter{Name: "ki", High: 10, Unit: wire.UnitGain, Help: "how the push grows while it stays off"}, 'G', 'G', word},
	{wire.Parameter{Name: "kd", High: 10, Unit: wire.UnitGain, Help: "how much its speed is braked; too much is noisy"}, 'J', 'J', word},
	{wire.Parameter{Name: "ks", Low: 1, High: 255, Unit: "periods", Help: "over how many periods the speed for kd is measured; more is quieter and later"}, 'M', 'M', word},
	{wire.Parameter{Name: "pwm_min", High: 255, Unit: "of 255", Help: "the least duty that moves the motor"}, 'P', 'P', first},
	{wire.Parameter{Name: "pwm_max", High: 255, Unit: "of 255", Help: "the most duty the motor gets"}, 'P', 'P', second},
	{wire.Parameter{Name: "cutoff", High: 255, Unit: "counts", Help: "feedback closer to an end than this switches the motor off; the first motor's counts for all at the lower end"}, 'S', 'S', first},
	{wire.Parameter{Name: "clip", High: 255, Unit: "counts", Help: "targets keep so far from both ends; keep it above the cutoff"}, 'S', 'S', second},
	{wire.Parameter{Name: "dead_zone", High: 255, Unit: "counts", Help: "the motor rests when it is off by no more"}, 'V', 'V', first},
	{wire.Parameter{Name: "pwm_reverse", High: 255, Unit: "of 255", Help: "duty that brings the motor back from beyond the clip; 0 for none"}, 'V', 'V', second},
}

// common are the parameters that all motors share.
var common = [...]field{
	{wire.Parameter{Name: "pid_divider", Low: 1, High: 10, Unit: "periods", Axis: -1, Help: "of 250 µs between two steps of the position control"}, 'Z', 'Y', divider},
	{wire.Parameter{Name: "pwm_frequency_1", Low: 1, High: 31, Unit: "kHz", Axis: -1, Help: "switching frequency of motors A and B"}, '~', '~', first},
	{wire.Parameter{Name: "pwm_frequency_2", Low: 1, High: 31, Unit: "kHz", Axis: -1, Help: "of motor C: 31 from 15 up, else 4"}, '~', '~', second},
}

// Settings are the parameters of the SMC3 firmware.
type Settings struct{ fields []field }

// NewSettings returns the settings of a controller that was not asked yet.
func NewSettings() Settings {
	var s Settings
	for _, kind := range kinds {
		for motor := range motors {
			f := kind
			f.Name = fmt.Sprintf("%s_%c", kind.Name, 'a'+motor)
			f.Axis = motor
			f.letter += byte(motor)
			f.asked += byte(motor)
			s.fields = append(s.fields, f)
		}
	}
	s.fields = append(s.fields, common[:]...)
	return s
}

// Table returns every parameter that there can be, without its value.
func (s Settings) Table() []wire.Parameter {
	all := make([]wire.Parameter, len(s.fields))
	for i := range all {
		all[i] = s.fields[i].Parameter
	}
	return all
}

// Read asks for each parameter.
func (s Settings) Read(ctx context.Context, t *wire.Talk) ([]wire.Parameter, error) {
	all := s.Table()
	told := map[byte]frame{}
	for i, f := range s.fields {
		if _, ok := told[f.asked]; !ok {
			answer, err := ask(ctx, t, f.asked)
			if err != nil {
				return nil, fmt.Errorf("parameter %s: %w", f.Name, err)
			}
			told[f.asked] = answer
		}
		all[i].Value = f.value(told[f.asked])
	}
	return all, nil
}

// ask asks for what letter stands for.
func ask(ctx context.Context, t *wire.Talk, letter byte) (frame, error) {
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
func (f field) value(in frame) float64 {
	switch f.part {
	case first:
		return float64(in.b1)
	case second:
		return float64(in.b2)
	case divider:
		return float64(in.b1 >> 4)
	}
	if f.Unit == wire.UnitGain {
		return float64(in.value()) / 100
	}
	return float64(in.value())
}

// put sets a parameter in a frame.
func (f field) put(out *frame, v float64) {
	if f.part == word && f.Unit == wire.UnitGain {
		v *= 100
	}
	n := int(math.Round(v))
	switch f.part {
	case word:
		out.b1, out.b2 = byte(n>>8), byte(n)
	case first, divider:
		out.b1 = byte(n)
	case second:
		out.b2 = byte(n)
	}
}

// Write sends the frame that a parameter is in, with what else is in it.
func (s Settings) Write(t *wire.Talk, p wire.Parameter, all []wire.Parameter) error {
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

// Save has the board write its EEPROM, which it does nothing else beside.
func (s Settings) Save(t *wire.Talk) error {
	if err := t.Say([]byte("[sav]")); err != nil {
		return err
	}
	time.Sleep(saveTime)
	_, err := ask(context.Background(), t, 'Y')
	return err
}

const saveTime = 300 * time.Millisecond // 53 bytes of 3.3 ms each, and some

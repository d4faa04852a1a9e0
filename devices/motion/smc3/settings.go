package smc3

import (
	"context"
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// valuePlace is the part of a frame's two data bytes that contains a parameter.
type valuePlace int

const (
	valueInBothBytes valuePlace = iota // high byte first
	valueInFirstByte
	valueInSecondByte
	valueInUpperHalf // the upper half of the first byte, reported together with the state
)

// parameterField is a parameter and its place in the frames that write and report it.
type parameterField struct {
	wire.Parameter
	letter byte // letter of the command that writes the parameter
	query  byte // letter of the query that reports the parameter
	place  valuePlace
}

// motorParameters are the parameters of each motor, with the letters of the first motor.
var motorParameters = [...]parameterField{
	{wire.Parameter{Name: "kp", High: 10, Unit: wire.UnitGain, Help: "proportional gain: duty for each count of error"}, 'D', 'D', valueInBothBytes},
	{wire.Parameter{Name: "ki", High: 10, Unit: wire.UnitGain, Help: "integral gain: growth of the duty while an error lasts"}, 'G', 'G', valueInBothBytes},
	{wire.Parameter{Name: "kd", High: 10, Unit: wire.UnitGain, Help: "derivative gain: damping of the motor's speed; too much is noisy"}, 'J', 'J', valueInBothBytes},
	{wire.Parameter{Name: "ks", Low: 1, High: 255, Unit: "periods", Help: "over how many periods the speed for kd is measured; more is quieter and later"}, 'M', 'M', valueInBothBytes},
	{wire.Parameter{Name: "pwm_min", High: 255, Unit: "of 255", Help: "smallest duty that moves the motor"}, 'P', 'P', valueInFirstByte},
	{wire.Parameter{Name: "pwm_max", High: 255, Unit: "of 255", Help: "largest duty of the motor"}, 'P', 'P', valueInSecondByte},
	{wire.Parameter{Name: "cutoff", High: 255, Unit: "counts", Help: "feedback closer to an end than this switches the motor off; at the lower end the first motor's value applies to all"}, 'S', 'S', valueInFirstByte},
	{wire.Parameter{Name: "clip", High: 255, Unit: "counts", Help: "targets are limited to this distance from both ends; keep it above the cutoff"}, 'S', 'S', valueInSecondByte},
	{wire.Parameter{Name: "dead_zone", High: 255, Unit: "counts", Help: "largest error at which the motor rests"}, 'V', 'V', valueInFirstByte},
	{wire.Parameter{Name: "pwm_reverse", High: 255, Unit: "of 255", Help: "duty that brings the motor back from beyond the clip; 0 for none"}, 'V', 'V', valueInSecondByte},
}

// sharedParameters are the parameters that all motors share.
var sharedParameters = [...]parameterField{
	{wire.Parameter{Name: "pid_divider", Low: 1, High: 10, Unit: "periods", Axis: -1, Help: "periods of 250 µs between two steps of the position control"}, 'Z', 'Y', valueInUpperHalf},
	{wire.Parameter{Name: "pwm_frequency_1", Low: 1, High: 31, Unit: "kHz", Axis: -1, Help: "switching frequency of motors A and B"}, '~', '~', valueInFirstByte},
	{wire.Parameter{Name: "pwm_frequency_2", Low: 1, High: 31, Unit: "kHz", Axis: -1, Help: "switching frequency of motor C: 31 kHz for values from 15 up, else 4 kHz"}, '~', '~', valueInSecondByte},
}

// Settings are the parameters of the SMC3 firmware.
type Settings struct{ fields []parameterField }

// NewSettings returns the controller's settings, without values.
func NewSettings() Settings {
	var s Settings
	for _, kind := range motorParameters {
		for motor := range motors {
			f := kind
			f.Name = fmt.Sprintf("%s_%c", kind.Name, 'a'+motor)
			f.Axis = motor
			f.letter += byte(motor)
			f.query += byte(motor)
			s.fields = append(s.fields, f)
		}
	}
	s.fields = append(s.fields, sharedParameters[:]...)
	return s
}

// Table returns every parameter of the protocol, without values.
func (s Settings) Table() []wire.Parameter {
	all := make([]wire.Parameter, len(s.fields))
	for i := range all {
		all[i] = s.fields[i].Parameter
	}
	return all
}

// Read queries all parameters.
func (s Settings) Read(ctx context.Context, t *wire.Exchange) ([]wire.Parameter, error) {
	all := s.Table()
	answers := map[byte]frame{}
	for i, f := range s.fields {
		if _, ok := answers[f.query]; !ok {
			answer, err := query(ctx, t, f.query)
			if err != nil {
				return nil, fmt.Errorf("parameter %s: %w", f.Name, err)
			}
			answers[f.query] = answer
		}
		all[i].Value = f.value(answers[f.query])
	}
	return all, nil
}

// query requests the frame with a letter and returns it.
func query(ctx context.Context, t *wire.Exchange, letter byte) (frame, error) {
	var in parser
	var answer frame
	err := t.Query(ctx, appendFrame(nil, frame{'r', 'd', letter}), func(b byte) bool {
		f, ok := in.feed(b)
		if ok && f.cmd == letter {
			answer = f
			return true
		}
		return false
	})
	return answer, err
}

// value returns the parameter's value in a frame.
func (f parameterField) value(in frame) float64 {
	switch f.place {
	case valueInFirstByte:
		return float64(in.b1)
	case valueInSecondByte:
		return float64(in.b2)
	case valueInUpperHalf:
		return float64(in.b1 >> 4)
	}
	if f.Unit == wire.UnitGain {
		return float64(in.value()) / 100
	}
	return float64(in.value())
}

// put writes the parameter's value v into a frame.
func (f parameterField) put(out *frame, v float64) {
	if f.place == valueInBothBytes && f.Unit == wire.UnitGain {
		v *= 100
	}
	n := int(math.Round(v))
	switch f.place {
	case valueInBothBytes:
		out.b1, out.b2 = byte(n>>8), byte(n)
	case valueInFirstByte, valueInUpperHalf:
		out.b1 = byte(n)
	case valueInSecondByte:
		out.b2 = byte(n)
	}
}

// Write sends the frame that contains a parameter, with the values of the others in it.
func (s Settings) Write(t *wire.Exchange, p wire.Parameter, all []wire.Parameter) error {
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
	return t.Send(appendFrame(nil, out))
}

// Save makes the board write its EEPROM, which takes saveTime and blocks everything else on it.
func (s Settings) Save(t *wire.Exchange) error {
	if err := t.Send([]byte("[sav]")); err != nil {
		return err
	}
	time.Sleep(saveTime)
	_, err := query(context.Background(), t, 'Y')
	return err
}

const saveTime = 300 * time.Millisecond // 53 bytes of 3.3 ms each, and a margin

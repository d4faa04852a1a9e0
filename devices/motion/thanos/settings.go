package thanos

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// numberedParameter is a parameter with the number by which the controller's commands name it.
type numberedParameter struct {
	number int
	wire.Parameter
}

// sharedParameters are the parameters that all actuators share.
var sharedParameters = [...]numberedParameter{
	{1, wire.Parameter{Name: "motors", Low: 1, High: 4, Help: "actuators this controller drives"}},
	{4, wire.Parameter{Name: "park_position", High: 100, Unit: "%", Help: "park position, in percent of the stroke"}},
	{5, wire.Parameter{Name: "park_speed", Low: 1, High: 50, Help: "on the way there"}},
	{6, wire.Parameter{Name: "park_timeout", High: 255, Help: "time at the standby position before it parks"}},
	{7, wire.Parameter{Name: "standby_position", High: 255, Help: "position at which it waits for frames; 127 is the middle of the stroke"}},
	{8, wire.Parameter{Name: "standby_speed", Low: 1, High: 50, Help: "on the way there"}},
	{9, wire.Parameter{Name: "timeout", High: 255, Help: "time without frames before it goes to the standby position"}},
	{15, wire.Parameter{Name: "spike_range", Low: 1, High: 255, Help: "counts for each step of the spike level"}},
	{16, wire.Parameter{Name: "spike_level", Low: 1, High: 255, Help: "jumps larger than range times level are held; in millimetres: level times range times stroke / 65535"}},
	{spikeFilter, wire.Parameter{Name: "spike_filter", Low: 1, High: 2, Help: "1 on, 2 off; keep it on"}},
	{18, wire.Parameter{Name: "spike_level_traction_loss", High: 255, Help: "spike level of the traction-loss and surge actuators"}},
	{19, wire.Parameter{Name: "spike_filter_traction_loss", Low: 1, High: 2, Help: "spike filter of the traction-loss and surge actuators: 1 on, 2 off"}},
	{20, wire.Parameter{Name: "smoothing", High: 5, Help: "smoothing of positions; higher values are softer and lag more"}},
	{21, wire.Parameter{Name: "force_offline", Low: 1, High: 2, Help: "where the off-line switch sends the actuators: 1 standby, 2 park"}},
	{22, wire.Parameter{Name: "spike_escape_speed", Low: 1, High: 255, Help: "speed of an actuator that was held, until it has reached its target"}},
	{23, wire.Parameter{Name: "fine_speed", Low: 1, High: 255, Help: "speed close to the standby and park positions"}},
}

// actuatorParameters are the parameters of each of four actuators, with the number of the first.
var actuatorParameters = [...]numberedParameter{
	{24, wire.Parameter{Name: "stroke", Low: 1, High: 100, Unit: "cm", Help: "of the actuator"}},
	{28, wire.Parameter{Name: "lead_screw", Low: 1, High: 4, Help: "1: 4, 2: 5, 3: 10, 4: 25 mm for each turn"}},
	{32, wire.Parameter{Name: "fold_back", Low: 1, High: 2, Help: "1 motor in line, 2 folded back, which turns the other way"}},
	{36, wire.Parameter{Name: "ratio", Low: 1, High: 255, Help: "of the motor's gear"}},
}

// Settings reads and writes the parameters of a Thanos controller, which is possible only while
// the controller gets no frames.
type Settings struct{ fields []numberedParameter }

// NewSettings returns the controller's settings, without values.
func NewSettings() Settings {
	s := Settings{fields: slices.Clone(sharedParameters[:])}
	for i := range s.fields {
		s.fields[i].Axis = -1
	}
	for _, parameter := range actuatorParameters {
		for axis := range 4 {
			f := parameter
			f.number += axis
			f.Name = fmt.Sprintf("%s_%d", parameter.Name, axis+1)
			f.Axis = axis
			s.fields = append(s.fields, f)
		}
	}
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

// Read queries all parameters and returns those that the controller reports.
func (s Settings) Read(ctx context.Context, t *wire.Exchange) ([]wire.Parameter, error) {
	r, err := querySettings(ctx, t)
	if err != nil {
		return nil, err
	}
	var all []wire.Parameter
	for _, f := range s.fields {
		if v, ok := r.value(f.number); ok {
			f.Value = float64(v)
			all = append(all, f.Parameter)
		}
	}
	return all, nil
}

// querySettings sends the query for the settings and receives until the line has been quiet for
// settingsPause, because it is not documented how the answer ends.
func querySettings(ctx context.Context, t *wire.Exchange) (report, error) {
	var received []byte
	for range wire.QueryAttempts {
		received = received[:0]
		if err := t.Send([]byte(wordSettings)); err != nil {
			return report{}, err
		}
		err := t.Receive(ctx, settingsPause, func(b byte) bool {
			received = append(received, b)
			return false
		})
		if err != nil && !errors.Is(err, wire.ErrSilent) {
			return report{}, err
		}
		if r, ok := findReport(received); ok {
			return r, nil
		}
	}
	return report{}, fmt.Errorf("motion: %w", wire.ErrSilent)
}

// settingsPause is how long an answer may take, and how long the controller needs to detect the
// end of a word.
const settingsPause = 150 * time.Millisecond

// Write sends the command "spvNNVVV": parameter NN gets the value VVV.
func (s Settings) Write(t *wire.Exchange, p wire.Parameter, _ []wire.Parameter) error {
	i := slices.IndexFunc(s.fields, func(f numberedParameter) bool { return f.Name == p.Name })
	err := t.Send(fmt.Appendf(nil, "spv%02d%03d", s.fields[i].number, int(math.Round(p.Value))))
	time.Sleep(settingsPause)
	return err
}

// Save makes the controller store all parameters, and waits until it answers again.
func (s Settings) Save(t *wire.Exchange) error {
	if err := t.Send([]byte(wordSave)); err != nil {
		return err
	}
	time.Sleep(settingsPause)
	_, err := querySettings(context.Background(), t)
	return err
}

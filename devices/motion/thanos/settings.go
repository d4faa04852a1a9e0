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

// field is a parameter of a Thanos controller and its number.
type field struct {
	number int
	wire.Parameter
}

// shared are the parameters that all actuators share.
var shared = [...]field{
	{1, wire.Parameter{Name: "motors", Low: 1, High: 4, Help: "actuators this controller drives"}},
	{4, wire.Parameter{Name: "park_position", High: 100, Unit: "%", Help: "of the stroke where it parks"}},
	{5, wire.Parameter{Name: "park_speed", Low: 1, High: 50, Help: "on the way there"}},
	{6, wire.Parameter{Name: "park_timeout", High: 255, Help: "it waits at the standby position before it parks"}},
	{7, wire.Parameter{Name: "standby_position", High: 255, Help: "where it waits for frames; 127 is the middle of the stroke"}},
	{8, wire.Parameter{Name: "standby_speed", Low: 1, High: 50, Help: "on the way there"}},
	{9, wire.Parameter{Name: "timeout", High: 255, Help: "without frames, before it goes to the standby position"}},
	{15, wire.Parameter{Name: "spike_range", Low: 1, High: 255, Help: "counts of the spike level for each of its steps"}},
	{16, wire.Parameter{Name: "spike_level", Low: 1, High: 255, Help: "leaps beyond range times level are held; millimetres are level times range times stroke / 65535"}},
	{spikeFilter, wire.Parameter{Name: "spike_filter", Low: 1, High: 2, Help: "1 on, 2 off; keep it on"}},
	{18, wire.Parameter{Name: "spike_level_traction_loss", High: 255, Help: "spike level of the traction-loss and surge actuators"}},
	{19, wire.Parameter{Name: "spike_filter_traction_loss", Low: 1, High: 2, Help: "spike filter of these: 1 on, 2 off"}},
	{20, wire.Parameter{Name: "smoothing", High: 5, Help: "of positions; more is softer and later"}},
	{21, wire.Parameter{Name: "force_offline", Low: 1, High: 2, Help: "the off-line switch sends it to 1 standby, 2 park"}},
	{22, wire.Parameter{Name: "spike_escape_speed", Low: 1, High: 255, Help: "of an actuator that was held, until it has caught up"}},
	{23, wire.Parameter{Name: "fine_speed", Low: 1, High: 255, Help: "close to the standby and park positions"}},
}

// kinds are the parameters of each of four actuators, with the number of
// the first.
var kinds = [...]field{
	{24, wire.Parameter{Name: "stroke", Low: 1, High: 100, Unit: "cm", Help: "of the actuator"}},
	{28, wire.Parameter{Name: "lead_screw", Low: 1, High: 4, Help: "1: 4, 2: 5, 3: 10, 4: 25 mm for each turn"}},
	{32, wire.Parameter{Name: "fold_back", Low: 1, High: 2, Help: "1 motor in line, 2 folded back, which turns the other way"}},
	{36, wire.Parameter{Name: "ratio", Low: 1, High: 255, Help: "of the motor's gear"}},
}

// Settings reads and writes the parameters of a Thanos controller. It can
// while the controller gets no frames.
type Settings struct{ fields []field }

// NewSettings returns the settings of a controller that was not asked yet.
func NewSettings() Settings {
	t := Settings{fields: slices.Clone(shared[:])}
	for i := range t.fields {
		t.fields[i].Axis = -1
	}
	for _, kind := range kinds {
		for axis := range 4 {
			f := kind
			f.number += axis
			f.Name = fmt.Sprintf("%s_%d", kind.Name, axis+1)
			f.Axis = axis
			t.fields = append(t.fields, f)
		}
	}
	return t
}

// Table returns every parameter that there can be, without its value.
func (s Settings) Table() []wire.Parameter {
	all := make([]wire.Parameter, len(s.fields))
	for i := range all {
		all[i] = s.fields[i].Parameter
	}
	return all
}

// Read asks for all parameters and returns those that the controller tells.
func (s Settings) Read(ctx context.Context, t *wire.Talk) ([]wire.Parameter, error) {
	r, err := ask(ctx, t)
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

// ask asks for the settings and takes what comes until the line has been
// still for a while: it is not documented how the answer ends.
func ask(ctx context.Context, t *wire.Talk) (report, error) {
	var said []byte
	for range wire.AskTimes {
		said = said[:0]
		if err := t.Say([]byte(wordSettings)); err != nil {
			return report{}, err
		}
		err := t.Hear(ctx, pause, func(b byte) bool {
			said = append(said, b)
			return false
		})
		if err != nil && !errors.Is(err, wire.ErrSilent) {
			return report{}, err
		}
		if r, ok := findReport(said); ok {
			return r, nil
		}
	}
	return report{}, fmt.Errorf("motion: %w", wire.ErrSilent)
}

// pause is how long an answer may take, and how long the controller needs
// to notice that a word has ended.
const pause = 150 * time.Millisecond

// Write sends "spvNNVVV".
func (s Settings) Write(t *wire.Talk, p wire.Parameter, _ []wire.Parameter) error {
	i := slices.IndexFunc(s.fields, func(f field) bool { return f.Name == p.Name })
	err := t.Say(fmt.Appendf(nil, "spv%02d%03d", s.fields[i].number, int(math.Round(p.Value))))
	time.Sleep(pause)
	return err
}

// Save has the controller keep all parameters, and waits until it answers again.
func (s Settings) Save(t *wire.Talk) error {
	if err := t.Say([]byte(wordSave)); err != nil {
		return err
	}
	time.Sleep(pause)
	_, err := ask(context.Background(), t)
	return err
}

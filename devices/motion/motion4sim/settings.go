package motion4sim

import (
	"context"
	"errors"

	"rig.example/rig/devices/motion/wire"
)

// Settings reads what a motion4sim controller tells of itself. Its settings are
// made in its own menu and program: none can be written.
type Settings struct{}

// reports are the commands that only ask.
var reports = [...]struct {
	wire.Parameter
	command uint16
}{
	{wire.Parameter{Name: "status", Axis: -1, Help: "49 ready, 50 standby, 51 waits for positions, 53 online, 2 or 4 emergency stop"}, commandStatus},
	{wire.Parameter{Name: "firmware", Axis: -1, Help: "version; older ones tell 2"}, commandFirmware},
	{wire.Parameter{Name: "actuators", Axis: -1, Help: "what they do, as the code of a letter: 120 not connected, 67 calibrate, 80 prepare, 33 move, 82 ready"}, commandActuators},
}

// Table returns every parameter that there can be, without its value.
func (Settings) Table() []wire.Parameter {
	all := make([]wire.Parameter, len(reports))
	for i := range all {
		all[i] = reports[i].Parameter
	}
	return all
}

// Read asks for each of the reports.
func (s Settings) Read(ctx context.Context, t *wire.Talk) ([]wire.Parameter, error) {
	all := s.Table()
	for i, r := range reports {
		in := wire.Packets{Length: answerLen}
		err := t.Ask(ctx, appendCommand(nil, r.command, 0), func(b byte) bool {
			p, ok := in.Feed(b)
			if !ok || either(p[2], p[3]) != either(byte(r.command>>8), byte(r.command)) {
				return false
			}
			all[i].Value = float64(either(p[4], p[5]))
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Write and save refuse: every parameter of the table can only be read.
func (Settings) Write(*wire.Talk, wire.Parameter, []wire.Parameter) error { return ErrReadOnly }

func (Settings) Save(*wire.Talk) error { return ErrReadOnly }

// ErrReadOnly tells that a controller's settings can only be read.
var ErrReadOnly = errors.New("motion: motion4sim: its settings cannot be written over the line; use the controller's own menu")

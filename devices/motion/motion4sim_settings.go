package motion

import (
	"context"
	"errors"

	"rig.example/rig/devices/motion/wire"
)

// m4sTuner reads what a motion4sim controller tells of itself. Its settings are
// made in its own menu and program: none can be written.
type m4sTuner struct{}

// m4sReports are the commands that only ask.
var m4sReports = [...]struct {
	wire.Parameter
	command uint16
}{
	{wire.Parameter{Name: "status", Axis: -1, Help: "49 ready, 50 standby, 51 waits for positions, 53 online, 2 or 4 emergency stop"}, m4sStatus},
	{wire.Parameter{Name: "firmware", Axis: -1, Help: "version; older ones tell 2"}, m4sFirmware},
	{wire.Parameter{Name: "actuators", Axis: -1, Help: "what they do, as the code of a letter: 120 not connected, 67 calibrate, 80 prepare, 33 move, 82 ready"}, m4sActuators},
}

func (m4sTuner) Table() []wire.Parameter {
	all := make([]wire.Parameter, len(m4sReports))
	for i := range all {
		all[i] = m4sReports[i].Parameter
	}
	return all
}

func (s m4sTuner) Read(ctx context.Context, t *wire.Talk) ([]wire.Parameter, error) {
	all := s.Table()
	for i, r := range m4sReports {
		in := wire.Packets{Length: m4sAnswerLen}
		err := t.Ask(ctx, appendM4SCommand(nil, r.command, 0), func(b byte) bool {
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
func (m4sTuner) Write(*wire.Talk, wire.Parameter, []wire.Parameter) error { return errM4SReadOnly }

func (m4sTuner) Save(*wire.Talk) error { return errM4SReadOnly }

var errM4SReadOnly = errors.New("motion: motion4sim: its settings cannot be written over the line; use the controller's own menu")

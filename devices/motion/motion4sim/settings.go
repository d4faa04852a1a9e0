package motion4sim

import (
	"context"
	"errors"

	"rig.example/rig/devices/motion/wire"
)

// Settings reads what a motion4sim controller reports of itself. Its settings are made in its own
// menu and program: none can be written.
type Settings struct{}

// queries are the parameters and the commands that query them; these commands change nothing.
var queries = [...]struct {
	wire.Parameter
	command uint16
}{
	{wire.Parameter{Name: "status", Axis: -1, Help: "49 ready, 50 standby, 51 waits for positions, 53 online, 2 or 4 emergency stop"}, commandStatus},
	{wire.Parameter{Name: "firmware", Axis: -1, Help: "version; older ones report 2"}, commandFirmware},
	{wire.Parameter{Name: "actuators", Axis: -1, Help: "state of the actuators, as the code of a letter: 120 not connected, 67 calibrate, 80 prepare, 33 move, 82 ready"}, commandActuatorState},
}

// Table returns every parameter of the protocol, without values.
func (Settings) Table() []wire.Parameter {
	all := make([]wire.Parameter, len(queries))
	for i := range all {
		all[i] = queries[i].Parameter
	}
	return all
}

// Read queries all parameters.
func (s Settings) Read(ctx context.Context, t *wire.Exchange) ([]wire.Parameter, error) {
	all := s.Table()
	for i, r := range queries {
		in := wire.Packets{Length: answerLen}
		err := t.Query(ctx, appendCommand(nil, r.command, 0), func(b byte) bool {
			p, ok := in.Feed(b)
			if !ok || eitherByteOrder(p[2], p[3]) != eitherByteOrder(byte(r.command>>8), byte(r.command)) {
				return false
			}
			all[i].Value = float64(eitherByteOrder(p[4], p[5]))
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Write returns ErrReadOnly: every parameter of the table can only be read.
func (Settings) Write(*wire.Exchange, wire.Parameter, []wire.Parameter) error { return ErrReadOnly }

func (Settings) Save(*wire.Exchange) error { return ErrReadOnly }

// ErrReadOnly is returned by Write and Save: a controller's settings can only be read.
var ErrReadOnly = errors.New("motion: motion4sim: its settings cannot be written over the line; use the controller's own menu")

package testrun

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
)

// Observer returns what reads the values of channels into the rows of a recording, or nil for an empty list. The
// channels must need a car alone.
func Observer(list []channels.Channel) trial.Observer {
	if len(list) == 0 {
		return nil
	}
	return func(c *sim.Car, s *sim.State, in *sim.Input) []float64 {
		values, at := make([]float64, len(list)), channels.Point{Car: c, State: s, Input: in}
		for i := range list {
			values[i] = list[i].Value(&at)
		}
		return values
	}
}

// writeChannels writes a header with the unit of each channel, and the times and values of the rows. A cell is
// empty where the value is unknown.
func writeChannels(w io.Writer, list []channels.Channel, rows []trial.Row) error {
	out := bufio.NewWriter(w)
	out.WriteString(timeColumn)
	for _, c := range list {
		out.WriteString("," + c.Name)
		if c.Unit != "" {
			out.WriteString(" [" + c.Unit + "]")
		}
	}
	out.WriteByte('\n')
	for i := range rows {
		line := appendNumber(out.AvailableBuffer(), rows[i].T)
		for _, v := range rows[i].Extra {
			if line = append(line, ','); !math.IsNaN(v) {
				line = appendNumber(line, v)
			}
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}

// appendNumber appends a number to a line of a table.
func appendNumber(line []byte, v float64) []byte {
	return strconv.AppendFloat(line, v+0, 'g', digits, 64) // not -0
}

package export

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"rig.example/rig/internal/files/drivelog"
)

// CSV writes log as a table by RFC 4180, with a header line and a line for each sample.
//
// The first column is t_s, the time from the beginning of the recording [s]; the others are "name [unit]". Numbers have
// all digits that float64 needs. A cell is empty where the value is NaN.
func CSV(w io.Writer, log *drivelog.Log) error {
	if err := check(log); err != nil {
		return err
	}
	return stream(w, func(out *bufio.Writer) {
		csvHeader(out, log.Channels)
		var line []byte
		for i := range log.Len() {
			line = strconv.AppendFloat(line[:0], log.Time(i), 'g', -1, 64)
			for _, c := range log.Channels {
				line = append(line, ',')
				if v := c.Values[i]; !math.IsNaN(v) {
					line = strconv.AppendFloat(line, v, 'g', -1, 64)
				}
			}
			out.Write(append(line, '\r', '\n'))
		}
	})
}

// csvHeader writes the header line. Only its cells may need quotes.
func csvHeader(w io.Writer, channels []drivelog.Channel) {
	cells := []string{"t_s"}
	for _, c := range channels {
		name := c.Name
		if c.Unit != "" {
			name += " [" + c.Unit + "]"
		}
		cells = append(cells, name)
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(cells)
	out.Flush()
}

package tirerig

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/sim/tire"
)

// Columns of the tables. inputColumns are required in a batch.
var (
	inputColumns    = []string{"kappa", "alpha_rad", "gamma_rad", "fz_n"}
	optionalColumns = []string{"vx_mps", "pressure_kpa"}
	forceColumns    = []string{"fx_n", "fy_n", "mx_nm", "my_nm", "mz_nm"}
)

// Row is one line of a sweep.
type Row struct {
	Kappa float64 `json:"kappa"`
	Alpha float64 `json:"alpha_rad"`
	Gamma float64 `json:"gamma_rad"`
	Fz    float64 `json:"fz_n"`
	Fx    float64 `json:"fx_n"`
	Fy    float64 `json:"fy_n"`
	Mx    float64 `json:"mx_nm"`
	My    float64 `json:"my_nm"`
	Mz    float64 `json:"mz_nm"`
}

// row evaluates a point.
func (b *Bench) row(p Point) Row {
	f := b.Forces(p)
	return Row{p.Kappa, p.Alpha, p.Gamma, p.Load, f.Fx, f.Fy, f.Mx, f.My, f.Mz}
}

// writeRows writes rows as comma-separated values below a header, each number with as many digits as
// needed to read the same bits again.
func writeRows(w io.Writer, rows []Row) error {
	out := bufio.NewWriterSize(w, bufferSize)
	out.WriteString(strings.Join(inputColumns, ",") + "," + strings.Join(forceColumns, ",") + "\n")
	for _, r := range rows {
		line := out.AvailableBuffer()
		for _, v := range [...]float64{r.Kappa, r.Alpha, r.Gamma} {
			line = append(appendNumber(line, v), ',')
		}
		line = appendNumber(line, r.Fz)
		out.Write(appendForces(line, tire.Forces{Fx: r.Fx, Fy: r.Fy, Mx: r.Mx, My: r.My, Mz: r.Mz}))
	}
	return out.Flush()
}

// appendNumber appends a number with as many digits as needed to read the same bits again.
func appendNumber(line []byte, v float64) []byte {
	return strconv.AppendFloat(line, v, 'g', -1, 64)
}

// appendForces appends the forces and ends the line.
func appendForces(line []byte, f tire.Forces) []byte {
	for _, v := range [...]float64{f.Fx, f.Fy, f.Mx, f.My, f.Mz} {
		line = appendNumber(append(line, ','), v)
	}
	return append(line, '\n')
}

// shortNumber formats a number for people with up to six digits.
func shortNumber(v float64) string { return printable.Minus(strconv.FormatFloat(v, 'g', 6, 64)) }

package cells_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/lab/cells"
)

func ExampleReader() {
	table := cells.New("a.csv", strings.NewReader("x_m,note\n\n1.5,\"left, wet\"\n"), nil)
	for table.Next() == nil {
		fmt.Printf("%d: %d cells, the last one %s\n", table.Line, len(table.Cells), table.Cells[1].Text)
	}
	// Output:
	// 1: 2 cells, the last one note
	// 3: 2 cells, the last one left, wet
}

func TestFaultsHaveTheirPlace(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"open quote", "1,\"2\n", "a.csv:1:3: the quote is not closed"},
		{"text after a quote", "\"1\"2,3\n", "a.csv:1:4: a comma must follow"},
		{"long line", strings.Repeat("1", cells.MaxLine+1), "a.csv:1:1: the line is longer than 65536 bytes"},
		{"not a number", "1, x\n", `a.csv:1:3: y_m: "x" must be a finite number`},
		{"NaN", "1,NaN\n", `a.csv:1:3: y_m: "NaN" must be a finite number`},
		{"empty", "1,\n", "a.csv:1:3: y_m is empty; give a number"},
		{"too few", "1\n", "a.csv:1:1: the line has 1 cells, but the header has 2"},
	} {
		table := cells.New("a.csv", strings.NewReader(tt.text), nil)
		err := table.Next()
		if err == nil {
			err = table.CheckCount(2)
		}
		if err == nil {
			_, err = table.Number(1, "y_m", "12.5")
		}
		var problem *config.Problem
		if !errors.As(err, &problem) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// An answer must not wait for the rest of the next question.
func TestPartOfALineMayWait(t *testing.T) {
	table := cells.New("stdin", strings.NewReader("1\n2\n3"), nil)
	for _, mayWait := range []bool{true, false, true} { // nothing is read, a whole line is left, a part of one
		if got := table.NextMayWait(); got != mayWait {
			t.Errorf("after line %d: %v", table.Line, got)
		}
		if err := table.Next(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestALineMayEndWithTheFile(t *testing.T) {
	table := cells.New("a.csv", strings.NewReader("\xef\xbb\xbf1,2\r\n3,4"), nil)
	for _, want := range []float64{2, 4} {
		if err := table.Next(); err != nil {
			t.Fatal(err)
		}
		if v, err := table.Number(1, "y", "1"); v != want || err != nil {
			t.Errorf("line %d: %g, %v, want %g", table.Line, v, err, want)
		}
	}
	if err := table.Next(); err != io.EOF {
		t.Errorf("after the last line: %v", err)
	}
}

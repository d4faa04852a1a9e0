package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logKeys lists all keys of log lines, so that a log can be searched by one word for each thing.
var logKeys = map[string]string{
	"error":  "what failed, as the error says it",
	"device": "name of the device",
	"path":   "file, device node, port or socket",
	"cause":  "why something happened, or what is waited for",
	"state":  "new state of the rig or the platform",
	"from":   "state before",
	"remedy": "what to do",
	"driver": "the kernel's driver of the device",

	"address": "address on the network, with the port if it is a program's",

	"axes": "axes of a device", "calibrated": "whether a device has a profile",
	"car": "the configuration's car", "track": "the configuration's circuit",
	"preset": "the force's preset", "strength": "the force's scale",

	"baud": "rate of a serial line [1/s]", "range_deg": "lock to lock [°]", "rated_nm": "rated torque [N·m]",
	"start_percent": "assumed start of each actuator [% of the stroke]",
	"stopped_s":     "how long the rig stood still [s]", "suspended_s": "how long the machine was suspended [s]",
	"lines":   "number of lines of the log",
	"limit_s": "how long the drive waits [s]",
}

// logCalls lists the methods of a logger with the number of arguments before the first key.
var logCalls = map[string]int{"Debug": 1, "Info": 1, "Warn": 1, "Error": 1, "Log": 3}

func TestLogsUseOneSetOfKeys(t *testing.T) {
	used := map[string]bool{}
	for _, rel := range slices.Sorted(maps.Keys(sources(t))) {
		f := filepath.Join("..", "..", rel)
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			first, isLog := logCall(call)
			if !isLog || len(call.Args) < first {
				return true
			}
			for i, arg := range call.Args[first:] {
				if i%2 != 0 {
					continue
				}
				lit, ok := arg.(*ast.BasicLit)
				if !ok {
					t.Errorf("%s: write the log key as a text", fset.Position(arg.Pos()))
					continue
				}
				key, _ := strconv.Unquote(lit.Value)
				if logKeys[key] == "" {
					t.Errorf("%s: log key %q is not in logKeys; use one of those", fset.Position(arg.Pos()), key)
				}
				used[key] = true
			}
			return true
		})
	}
	for key := range logKeys {
		if !used[key] {
			t.Errorf("log key %q is used nowhere; remove it from logKeys", key)
		}
	}
}

// logCall reports whether a call writes a log line. first is the number of arguments before the first key.
func logCall(call *ast.CallExpr) (first int, ok bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0, false
	}
	var logger string
	switch x := method.X.(type) {
	case *ast.Ident:
		logger = x.Name
	case *ast.SelectorExpr:
		logger = x.Sel.Name
	}
	first, known := logCalls[method.Sel.Name]
	return first, known && slices.Contains([]string{"log", "logger", "slog"}, strings.ToLower(logger))
}

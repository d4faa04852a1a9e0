package opendrive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// harmlessElements are the elements that do not describe the ground: objects, traffic rules
// and data of other programs.
var harmlessElements = map[string]bool{
	"access": true, "bridge": true, "connectionMaster": true, "controller": true, "control": true, "crossPath": true, "dataQuality": true,
	"defaultRegulations": true, "junctionGroup": true, "junctionReference": true, "license": true, "neighbor": true, "object": true,
	"objectReference": true, "platform": true, "priority": true, "rule": true, "signal": true, "signalReference": true, "speed": true,
	"station": true, "switch": true, "tunnel": true, "type": true, "userData": true, "visibility": true, "explicit": true, "sway": true,
}

// countUnused counts an element that is not used.
func (f *reader) countUnused(parent, name string) {
	const limit = 50 // maximum number of different elements that are counted by name
	key := [2]string{parent, printable.Excerpt(name)}
	if harmlessElements[name] {
		key[0] = ""
	} else if _, counted := f.unused[key]; !counted && len(f.unused) >= limit {
		key = [2]string{} // counts all further names together
	}
	f.unused[key]++
}

// unusedWarnings returns warnings of what countUnread counted: harmless elements on one line, the others
// one by one.
func (f *reader) unusedWarnings() []string {
	var harmless, list []string
	keys := slices.SortedFunc(maps.Keys(f.unused), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
	})
	for _, key := range keys {
		parent, name, n := key[0], key[1], f.unused[key]
		switch {
		case name == "":
			list = append(list, fmt.Sprintf("%s: %d elements with other names ignored: rig does not know them", f.file, n))
		case parent == "":
			harmless = append(harmless, fmt.Sprintf("<%s> %d", name, n))
		default:
			list = append(list, fmt.Sprintf("%s: <%s> in <%s> left out, %s: %s", f.file, name, parent, timesText(n), consequence(name)))
		}
	}
	if len(harmless) > 0 {
		list = append([]string{fmt.Sprintf("%s: left out, as they are not part of the ground: %s", f.file, strings.Join(harmless, ", "))}, list...)
	}
	return list
}

// timesText returns n as "once" or "n times".
func timesText(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// consequence returns, for a warning, what the ground lacks because an element is not used, and what to do.
func consequence(name string) string {
	switch name {
	case "include":
		return "merge the files"
	case "CRG":
		return "the road stays smooth; use the OpenCRG file as a ground of its own"
	case "crossSectionSurface":
		return "the road is as its superelevation and shape alone say; export it as OpenDRIVE 1.7, with <shape>"
	case "elevationGrid":
		return "the junction's heights are those of its connecting roads"
	}
	return "rig does not read it, and what it describes is missing"
}

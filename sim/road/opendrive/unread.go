package opendrive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// groundless are the elements that describe no ground: what stands on it, who may drive where,
// and what programs keep for themselves.
var groundless = map[string]bool{
	"access": true, "bridge": true, "connectionMaster": true, "controller": true, "control": true, "crossPath": true, "dataQuality": true,
	"defaultRegulations": true, "junctionGroup": true, "junctionReference": true, "license": true, "neighbor": true, "object": true,
	"objectReference": true, "platform": true, "priority": true, "rule": true, "signal": true, "signalReference": true, "speed": true,
	"station": true, "switch": true, "tunnel": true, "type": true, "userData": true, "visibility": true, "explicit": true, "sway": true,
}

// count notes an element that is not read.
func (f *form) count(around, name string) {
	const most = 50 // kinds
	key := [2]string{around, clip(name)}
	if groundless[name] {
		key[0] = ""
	} else if _, met := f.leftOut[key]; !met && len(f.leftOut) >= most {
		key = [2]string{} // whatever it is called
	}
	f.leftOut[key]++
}

// unread tells what was counted: what is no ground on one line, the rest one by one.
func (f *form) unread() []string {
	var harmless, list []string
	keys := slices.SortedFunc(maps.Keys(f.leftOut), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
	})
	for _, key := range keys {
		around, name, n := key[0], key[1], f.leftOut[key]
		switch {
		case name == "":
			list = append(list, fmt.Sprintf("%s: %d elements of other names left out: rig does not know them", f.file, n))
		case around == "":
			harmless = append(harmless, fmt.Sprintf("<%s> %d", name, n))
		default:
			list = append(list, fmt.Sprintf("%s: <%s> in <%s> left out, %s: %s", f.file, name, around, times(n), loss(name)))
		}
	}
	if len(harmless) > 0 {
		list = append([]string{fmt.Sprintf("%s: left out, as they are not part of the ground: %s", f.file, strings.Join(harmless, ", "))}, list...)
	}
	return list
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// loss says what the ground lacks without an element.
func loss(name string) string {
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

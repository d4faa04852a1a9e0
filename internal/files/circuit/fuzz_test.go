package circuit

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/road"
	"rig.example/rig/test/level"
)

// Whatever a line's table holds, it is read or refused in one line, and a line through what was
// read is one that a car can follow.
func FuzzLineTable(f *testing.F) {
	for _, text := range []string{
		straightLine, circuittest.RingTable(50, 12), "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,5,5\n3,4,5,5\n", "x;y;z;bank_deg\n1;2;3;4\n2;3;4;5\n4;5;6;7\n", "\xef\xbb\xbfx\ty\n1\t2\n",
		"x,y\n1,\"2\n", "x,x\n1,2\n", "x,y\n1e308,-1e308\n-1e308,1\n", "x,y\nnan,1\n", "x,y\n1\n", "y\n", "",
	} {
		f.Add([]byte(text), false)
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, closed bool) {
		if len(data) > 1<<14 {
			return
		}
		table, err := readTable(data)
		if err == nil {
			s := &Site{Bare: road.Flat{}}
			if err = s.checkTable(table); err == nil {
				var line *road.Line
				if line, err = road.LineThrough(s.waypoints(table), closed); err == nil && !(line.Length() < 4.2e6 && r3.Norm(line.At(line.Length()/2).Pos) < 1e7) {
					t.Fatalf("a line of %g m with its middle at %v", line.Length(), line.At(line.Length()/2).Pos)
				}
			}
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || err.Error() == "") {
			t.Fatalf("error %q", err)
		}
	})
}

// Whatever an entry of the cache holds, it is refused, or a mesh that answers.
func FuzzCacheEntry(f *testing.F) {
	entry := whole(f)
	f.Add(entry)
	f.Add(entry[:20])
	f.Add([]byte("\xff\xff\xff\xff\x00\x00\x00\x00"))
	f.Add(append([]byte("\x02\x00\x00\x00\x43\x06\xa3\xbf{}"), entry[len(entry)-50:]...))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, k, err := decode(data)
		if err != nil {
			return
		}
		if m.MaterialCount() > len(k.Materials) || len(k.Materials) == 0 {
			t.Fatalf("%d materials, %d named", m.MaterialCount(), len(k.Materials))
		}
		if c := m.Touch(r3.Vec{X: 10, Y: 1, Z: 3}); math.IsNaN(c.Depth) || int(c.Material) >= len(k.Materials) {
			t.Fatalf("contact %+v", c)
		}
	})
}

// whole returns an entry as the cache writes it.
func whole(t testing.TB) []byte {
	cache := t.TempDir()
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate())})
	if _, _, err := Load(filepath.Join(dir, "a.obj"), Options{Cache: cache}); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(cache + "/*" + cacheSuffix)
	if len(files) != 1 {
		t.Fatalf("the cache holds %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// An entry whose head is about another mesh has a right checksum, and is no use.
func TestAnEntryThatNamesTooFewMaterialsIsBuiltAgain(t *testing.T) {
	data := whole(t)
	m, k, err := decode(data)
	if err != nil || len(k.Materials) != 3 {
		t.Fatalf("%v, %d materials", err, len(k.Materials))
	}
	for _, spoil := range []func(*cacheEntry){
		func(k *cacheEntry) { k.Materials = k.Materials[:2] },
		func(k *cacheEntry) { k.Materials = nil },
		func(k *cacheEntry) { k.Materials = make([]Material, 300) },
		func(k *cacheEntry) { k.Origin.Y = 1e300 },
	} {
		broken := k
		spoil(&broken)
		path := filepath.Join(t.TempDir(), "a.mesh")
		if err := writeEntry(path, broken, m); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := decode(data); err == nil {
			t.Errorf("%+v is accepted", broken)
		}
	}
	if _, _, err := decode(append(bytes.Repeat([]byte{0xff}, 8), data...)); err == nil || !strings.Contains(err.Error(), "at most 8388608") {
		t.Error(err)
	}
}

func TestTablesOfLinesHaveLimits(t *testing.T) {
	level.SkipIfQuick(t)
	for name, tt := range map[string]struct{ text, want string }{
		"twice":  {"x,y,x_m\n1,2,3\n", "columns 1 and 3 are both x"},
		"places": {"x,y\n" + strings.Repeat("1,2\n", maxWaypoints+1), "more than 1048576 points"},
	} {
		if _, err := readTable([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate()), "c.toml": "[ground]\nfile = \"a.obj\"\n[line]\nfile = \"l.csv\"\n", "l.csv": ""})
	if err := os.Truncate(filepath.Join(dir, "l.csv"), maxTableBytes+1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(filepath.Join(dir, "c.toml"), Options{}); err == nil || !strings.Contains(err.Error(), "at most 128 MB are read") {
		t.Error(err)
	}
}

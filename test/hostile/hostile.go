// Package hostile makes files as strangers, damaged disks and attackers give them, out of small
// good ones: for the tests of everything that reads a file.
package hostile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode/utf16"
)

// Input is a way to spoil a file.
type Input struct {
	Name string
	Node bool                    // it is no file that can be read to its end
	Put  func(path string) error // puts it there
}

// Inputs returns every way to spoil a good file. nest is what opens a level of its format, such as
// "[" or "<a>".
func Inputs(seed, nest string) (list []Input) {
	for _, t := range texts(seed, nest) {
		list = append(list, Input{t.name, false, func(path string) error { return os.WriteFile(path, []byte(t.text()), 0o600) }})
	}
	for name, put := range nodes {
		list = append(list, Input{name, true, put})
	}
	slices.SortStableFunc(list, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	return list
}

var nodes = map[string]func(path string) error{
	"pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"link to a pipe": func(path string) error {
		if err := syscall.Mkfifo(path+".pipe", 0o600); err != nil {
			return err
		}
		return os.Symlink(path+".pipe", path)
	},
	"endless device": func(path string) error { return os.Symlink("/dev/zero", path) },
	"folder":         func(path string) error { return os.Mkdir(path, 0o700) },
	"socket": func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			return err
		}
		l.SetUnlinkOnClose(false)
		return l.Close()
	},
	"dangling link":  func(path string) error { return os.Symlink("nothing", path) },
	"link to itself": func(path string) error { return os.Symlink(path, path) },
	"3 GB of zeros": func(path string) error {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
		return os.Truncate(path, 3<<30) // takes no room
	},
	"the reader's own memory": func(path string) error { return os.Symlink("/proc/self/mem", path) },
}

// text is made when it is needed: some are large.
type text struct {
	name string
	text func() string
}

const long = 5 << 20 // of a line that nobody writes [bytes]

func texts(seed, nest string) (list []text) {
	add := func(name string, make func() string) { list = append(list, text{name, make}) }
	is := func(name, s string) { add(name, func() string { return s }) }
	is("empty", "")
	is("a NUL", "\x00")
	is("a quarter", seed[:len(seed)/4])
	is("half", seed[:len(seed)/2])
	is("nine tenths", seed[:len(seed)*9/10])
	add("binary", binaryText)
	is("UTF-16, small end first", "\xff\xfe"+utf16Text(seed, binary.LittleEndian))
	is("UTF-16, big end first", "\xfe\xff"+utf16Text(seed, binary.BigEndian))
	is("UTF-8 with a mark", "\xef\xbb\xbf"+seed)
	is("Latin-1", middle(seed, "\xe4\xf6\xfc"))
	is("NULs between", middle(seed, "\x00\x00\x00"))
	is("escape sequences", "\x1b]0;title\x07\x1b[2J"+middle(seed, "\x1b[31m\u202e"))
	is("CR LF", strings.ReplaceAll(seed, "\n", "\r\n"))
	is("CR", strings.ReplaceAll(seed, "\n", "\r"))
	is("one line", strings.ReplaceAll(seed, "\n", " "))
	is("twice", seed+"\n"+seed)
	add("a thousand times", func() string { return strings.Repeat(seed+"\n", min(1000, 8<<20/len(seed))) })
	add("a long line", func() string { return seed + "\n" + strings.Repeat("long ", long/5) + "\n" })
	add("a long word first", func() string { return strings.Repeat("w", long) + "\n" + seed })
	add("a long number", func() string { return each(seed, 1, strings.Repeat("7", long)) })
	add("deeply nested", func() string { return seed + "\nx = " + strings.Repeat(nest, 200_000) })
	add("nested alone", func() string { return strings.Repeat(nest, 200_000) })
	add("unknown lines", func() string {
		var b strings.Builder
		b.WriteString(seed + "\n")
		for i := range 20_000 {
			b.WriteString("key" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + " = 1\n")
		}
		return b.String()
	})
	for _, v := range []string{"nan", "NaN", "inf", "-Inf", "1e308", "-1e308", "1e999", "1e-320", "0", "-1", "9223372036854775808", "\"text\"", "1,5"} {
		is("every number "+v, each(seed, 0, v))
		for _, n := range []int{2, 3, 5} {
			is(string(rune('0'+n))+". number "+v, each(seed, n, v))
		}
	}
	return list
}

var number = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// each replaces the nth number of a text, counted from 1, or with 0 all of them.
func each(seed string, nth int, by string) string {
	n := 0
	return number.ReplaceAllStringFunc(seed, func(was string) string {
		if n++; nth == 0 || n == nth {
			return by
		}
		return was
	})
}

// middle puts something into the middle of a text.
func middle(seed, what string) string { return seed[:len(seed)/2] + what + seed[len(seed)/2:] }

func utf16Text(s string, order binary.AppendByteOrder) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// binaryText is 64 kB of any bytes, the same ones each time.
func binaryText() string {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for range 8 << 10 {
		_ = binary.Write(&b, binary.LittleEndian, r.Uint64())
	}
	return b.String()
}

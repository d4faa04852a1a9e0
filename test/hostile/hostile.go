// Package hostile creates damaged and malicious files from small valid ones, for the tests of all code that
// reads a file. The input is a valid text; the output is a list of functions that each create a bad file.
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

// Input is one kind of bad file.
type Input struct {
	Name    string
	Special bool                    // one of specialFiles, such as a pipe
	Create  func(path string) error // creates the bad file at path
}

// Inputs returns all kinds of bad files made from seed, the text of a valid file. nest is the text that opens a
// nested level in the file's format, such as "[" or "<a>".
func Inputs(seed, nest string) (list []Input) {
	for _, t := range badTexts(seed, nest) {
		list = append(list, Input{t.name, false, func(path string) error { return os.WriteFile(path, []byte(t.generate()), 0o600) }})
	}
	for name, put := range specialFiles {
		list = append(list, Input{name, true, put})
	}
	slices.SortStableFunc(list, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// specialFiles holds functions that each create something a reader must not read to its end: a pipe, a device, a
// folder, a socket, a broken link or a sparse file of 3 GB, by name.
var specialFiles = map[string]func(path string) error{
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
		return os.Truncate(path, 3<<30) // a sparse file, which needs no space on the disk
	},
	"the reader's own memory": func(path string) error { return os.Symlink("/proc/self/mem", path) },
}

// badText is the contents of a bad file, as a function, so that the large ones are generated only when they are
// needed.
type badText struct {
	name     string
	generate func() string
}

const longLineLength = 5 << 20 // far longer than any line that people write [bytes]

func badTexts(seed, nest string) (list []badText) {
	add := func(name string, make func() string) { list = append(list, badText{name, make}) }
	addText := func(name, s string) { add(name, func() string { return s }) }
	addText("empty", "")
	addText("a NUL", "\x00")
	addText("a quarter", seed[:len(seed)/4])
	addText("half", seed[:len(seed)/2])
	addText("nine tenths", seed[:len(seed)*9/10])
	add("binary", binaryText)
	addText("UTF-16, small end first", "\xff\xfe"+utf16Text(seed, binary.LittleEndian))
	addText("UTF-16, big end first", "\xfe\xff"+utf16Text(seed, binary.BigEndian))
	addText("UTF-8 with a mark", "\xef\xbb\xbf"+seed)
	addText("Latin-1", insertInMiddle(seed, "\xe4\xf6\xfc"))
	addText("NULs between", insertInMiddle(seed, "\x00\x00\x00"))
	addText("escape sequences", "\x1b]0;title\x07\x1b[2J"+insertInMiddle(seed, "\x1b[31m\u202e"))
	addText("CR LF", strings.ReplaceAll(seed, "\n", "\r\n"))
	addText("CR", strings.ReplaceAll(seed, "\n", "\r"))
	addText("one line", strings.ReplaceAll(seed, "\n", " "))
	addText("twice", seed+"\n"+seed)
	add("a thousand times", func() string { return strings.Repeat(seed+"\n", min(1000, 8<<20/len(seed))) })
	add("a long line", func() string { return seed + "\n" + strings.Repeat("long ", longLineLength/5) + "\n" })
	add("a long word first", func() string { return strings.Repeat("w", longLineLength) + "\n" + seed })
	add("a long number", func() string { return replaceNumber(seed, 1, strings.Repeat("7", longLineLength)) })
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
		addText("every number "+v, replaceNumber(seed, 0, v))
		for _, n := range []int{2, 3, 5} {
			addText(string(rune('0'+n))+". number "+v, replaceNumber(seed, n, v))
		}
	}
	return list
}

// numberPattern matches a number without its sign.
var numberPattern = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// replaceNumber replaces the nth number in seed by replacement. n counts from 1; 0 replaces all numbers.
func replaceNumber(seed string, n int, replacement string) string {
	count := 0
	return numberPattern.ReplaceAllStringFunc(seed, func(was string) string {
		if count++; n == 0 || count == n {
			return replacement
		}
		return was
	})
}

// insertInMiddle returns seed with addition inserted in its middle.
func insertInMiddle(seed, addition string) string {
	return seed[:len(seed)/2] + addition + seed[len(seed)/2:]
}

func utf16Text(s string, order binary.AppendByteOrder) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// binaryText returns 64 kB of pseudo-random bytes, the same in each run.
func binaryText() string {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for range 8 << 10 {
		_ = binary.Write(&b, binary.LittleEndian, r.Uint64())
	}
	return b.String()
}

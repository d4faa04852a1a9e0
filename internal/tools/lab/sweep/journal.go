package sweep

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
)

// Journal is a file that keeps the results of one sweep as they come: a line that says which sweep, then a line of JSON
// for each result.
type Journal struct {
	path string
	file *os.File
}

// journalHead is the first line of a journal.
type journalHead struct {
	Format int    `json:"rig_sweep"` // 1
	Digest string `json:"digest"`
	Sweep  string `json:"sweep"` // for the user
	Build  string `json:"build"`
}

const (
	journalFormat  = 1
	maxJournalLine = 1 << 20 // [bytes]
	headStart      = `{"rig_sweep":`
	notAJournal    = "this is not a file of --resume of this version; name another file"
)

// OpenJournal opens the journal of a sweep and returns the results that are in it, or begins a new one. It drops a
// last line that was torn when a program or a machine ended, and leaves every file alone that is no journal. Only one process may have a journal open.
func OpenJournal(path string, p *Plan) (*Journal, []Result, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|unix.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be opened: %w", path, sink.WithoutPath(err))
	}
	j := &Journal{path, f}
	results, err := j.begin(p)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return j, results, nil
}

// begin locks and reads the file, cuts off a torn line, and writes the first line of a new file.
func (j *Journal) begin(p *Plan) ([]Result, error) {
	if info, err := j.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, j.fault(0, "is not a regular file; name another one")
	}
	if unix.Flock(int(j.file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return nil, j.fault(0, "is in use by another sweep; wait for its end, or name another file")
	}
	results, size, err := j.read(p)
	if err != nil {
		return nil, err
	}
	if err := j.file.Truncate(size); err != nil || size > 0 {
		return results, err
	}
	return nil, j.append(journalHead{journalFormat, p.Digest(), p.String(), p.Build})
}

// read returns the results and the size of all whole lines.
func (j *Journal) read(p *Plan) (results []Result, size int64, err error) {
	in, seen := bufio.NewReaderSize(j.file, maxJournalLine), map[int]bool{}
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF && line == 1 && !isTornHead(text):
			return nil, 0, j.fault(line, notAJournal)
		case err == io.EOF:
			return results, size, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, 0, j.fault(line, "the line is too long; this is not a file of --resume")
		case err != nil:
			return nil, 0, fmt.Errorf("%s cannot be read: %w", j.path, sink.WithoutPath(err))
		case line == 1:
			if err := j.checkHead(text, p); err != nil {
				return nil, 0, err
			}
		default:
			r, err := p.ParseResult(text)
			if err != nil {
				return nil, 0, j.fault(line, err.Error()+"; remove the line")
			}
			if !seen[r.Index] {
				results = append(results, r)
			}
			seen[r.Index] = true
		}
		size += int64(len(text))
	}
}

// isTornHead reports whether text may be what a machine wrote of a first line before it ended.
func isTornHead(text []byte) bool {
	n := min(len(text), len(headStart))
	return string(text[:n]) == headStart[:n]
}

// checkHead returns an error unless the first line is that of the plan's sweep.
func (j *Journal) checkHead(text []byte, p *Plan) error {
	var h journalHead
	switch err := json.Unmarshal(bytes.TrimSpace(text), &h); {
	case err != nil || h.Format != journalFormat:
		return j.fault(1, notAJournal)
	case h.Build != p.Build:
		return j.fault(1, fmt.Sprintf("made by %s, and this is %s; results are the same on the same build only: name another file", h.Build, p.Build))
	case h.Digest != p.Digest():
		return j.fault(1, fmt.Sprintf("belongs to another sweep (%s), or its car has changed; name another file", h.Sweep))
	}
	return nil
}

// Add keeps a result.
func (j *Journal) Add(r Result) error { return j.append(r) }

// append writes one line.
func (j *Journal) append(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("%s cannot be written: %w", j.path, sink.WithoutPath(err))
	}
	return nil
}

// Close writes the results to the disk and closes the file.
func (j *Journal) Close() error { return errors.Join(j.file.Sync(), j.file.Close()) }

// fault returns an error about a line of the file, or about all of it.
func (j *Journal) fault(line int, text string) error {
	p := &config.Problem{File: j.path, Text: text}
	if line > 0 {
		p.Line, p.Column = line, 1
	}
	return p
}

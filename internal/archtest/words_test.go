package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// plainWords lists phrases that comments, texts, names and pages must not contain, with the plain words to write
// instead. Phrases are lower case; those of one line are separated by commas.
var plainWords = []struct{ refused, write string }{
	{"tells whether, tell whether, tells if, told whether, telling whether", "reports whether"},
	{"is no number, are no numbers, what is not a number", "NaN or Inf"},
	{"mend, mends, mended, mending", "fix"},
	{"is gone, are gone, was gone, were gone, been gone", "not found, disconnected, removed, lost, or has ended"},
	{"nobody has, nobody had, nobody knows, nobody knew", "is not there, not yet done, or unknown"},
	{"whoever", "the user, the operator, or the process that …"},
	{"far end", "simulated controller, peer, or opposite end"},
	{"mailbox", "the cell of internal/kit/latest, by what it holds"},
	{"wish, wishes, wished", "target, request, or order"},
	{"tremor", "vibration"},
	{"so many, so much", "the amount: a number of …, this time, more than …"},
	{"the most that, at the most", "the largest, or at most"},
	{"shall, ought", "must"},
	{"lest, naught, nought, thereof, therein, whatsoever, whence, thence", "a plain sentence"},
	{"thirst, hush, shoe, stuff, heed, heeds, heeded", "the field's term"},
}

// refusals finds the phrases of plainWords. A phrase may go on in the next line of a comment, or stand in a name
// in camel case.
var refusals = compiled()

// refusal is one phrase of plainWords.
type refusal struct {
	pattern       *regexp.Regexp
	phrase, write string
	inName        string // phrase in camel case
}

// betweenWords makes blanks of what a phrase may have between its words.
var betweenWords = strings.NewReplacer("//", " ", "#", " ", ">", " ")

func compiled() (list []refusal) {
	for _, words := range plainWords {
		for phrase := range strings.SplitSeq(words.refused, ", ") {
			inName := ""
			for word := range strings.FieldsSeq(phrase) {
				inName += strings.ToUpper(word[:1]) + word[1:]
			}
			spaced := strings.ReplaceAll(phrase, " ", `(?:\s|//|#|>)+`)
			list = append(list, refusal{regexp.MustCompile(`(?i:\b` + spaced + `\b)|` + inName + `(?:[A-Z]|\b)`), phrase, words.write, inName})
		}
	}
	return list
}

// refused returns a fault for each refused phrase in a file's text.
func refused(path, text string) (found []string) {
	plain := strings.Join(strings.Fields(strings.ToLower(betweenWords.Replace(text))), " ")
	for _, r := range refusals {
		if !strings.Contains(plain, r.phrase) && !strings.Contains(text, r.inName) {
			continue // most files, and much faster than the pattern
		}
		for _, at := range r.pattern.FindAllStringIndex(text, -1) {
			line := 1 + strings.Count(text[:at[0]], "\n")
			found = append(found, fmt.Sprintf("%s:%d: %q: write %s", path, line, r.phrase, r.write))
		}
	}
	return found
}

func TestWordsArePlain(t *testing.T) {
	for _, path := range filesNamed(t, ".go", ".md") {
		if filepath.Base(path) == "words_test.go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range refused(path, string(text)) {
			t.Error(fault)
		}
	}
}

func TestRefusedPhrasesAreFound(t *testing.T) {
	const text = "// f tells\n// whether it is MENDED.\nfunc TestDeviceIsGoneTwice() { recommended := \"double wishbones\" }\n"
	got := strings.Join(refused("a.go", text), "\n")
	const want = "a.go:1: \"tells whether\": write reports whether\na.go:2: \"mended\": write fix\n" +
		"a.go:3: \"is gone\": write not found, disconnected, removed, lost, or has ended"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

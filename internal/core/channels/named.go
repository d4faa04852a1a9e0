package channels

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Named returns the channels of a list: "all", or names, groups and patterns such as wheel_fl_* separated by
// commas, in the order of the list. A channel that the list names twice is there once.
func Named(list string) ([]Channel, error) {
	all := All()
	var chosen []Channel
	for word := range strings.SplitSeq(list, ",") {
		word, found := strings.TrimSpace(word), false
		for _, c := range all {
			if !c.matches(word) {
				continue
			}
			found = true
			if !slices.ContainsFunc(chosen, func(other Channel) bool { return other.Name == c.Name }) {
				chosen = append(chosen, c)
			}
		}
		if !found {
			return nil, fmt.Errorf("channel %.60q not found; the nearest are %s; `rig channels` lists all", word, strings.Join(nearest(all, word), ", "))
		}
	}
	return chosen, nil
}

// NamedOfCar is Named without the channels that need a whole drive. It refuses a word that names only these.
func NamedOfCar(list string) ([]Channel, error) {
	needsTick := func(c Channel) bool { return c.needsTick }
	for word := range strings.SplitSeq(list, ",") {
		named, err := Named(word)
		if err != nil {
			return nil, err
		}
		if len(slices.DeleteFunc(named, needsTick)) == 0 {
			return nil, fmt.Errorf("%s needs a whole drive; a manoeuvre has only a car", strings.TrimSpace(word))
		}
	}
	chosen, err := Named(list)
	return slices.DeleteFunc(chosen, needsTick), err
}

// matches reports whether a word of a list names the channel.
func (c *Channel) matches(word string) bool {
	if strings.Contains(word, "*") {
		matched, err := path.Match(word, c.Name)
		return err == nil && matched
	}
	return word == c.Name || word == c.Group || word == "all"
}

// nearest returns the three names of channels and groups that differ least from a word.
func nearest(all []Channel, word string) []string {
	word = word[:min(len(word), 60)]
	names := Groups()
	for _, c := range all {
		names = append(names, c.Name)
	}
	distance := make(map[string]int, len(names))
	for _, name := range names {
		distance[name] = valid.EditDistance(word, name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance[a], distance[b]) })
	return names[:3]
}

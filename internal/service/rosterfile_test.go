package service_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/service"
)

// read reads a roster as lines of “address|name|family name|role|label|id”, and the refused ones as “line: reason”.
func read(t *testing.T, file, columns string) (lines, refused []string, r studycircle.Roster) {
	t.Helper()
	chosen, err := csvfile.Chosen(columns)
	require.NoError(t, err)
	r, err = service.ReadRoster([]byte(file), chosen)
	require.NoError(t, err)
	for _, l := range r.Lines {
		lines = append(lines, strings.TrimRight(strings.Join([]string{l.Email, l.Name, l.FamilyName, string(l.Role), l.Label, l.SourceID}, "|"), "|"))
	}
	for _, l := range r.Refused {
		refused = append(refused, l.Err.Error())
	}
	return lines, refused, r
}

// Lists of people are read as other systems download them, in English, German, Spanish and French.
func TestRosterOfOtherSystems(t *testing.T) {
	t.Parallel()
	const ada = "ada@example.org|Ada Lovelace|Lovelace"
	for name, test := range map[string]struct {
		file string
		want []string
	}{
		"Moodle":               {"First name,Last name,ID number,Email address,Groups\nAda,Lovelace,7,ada@example.org,Red\n", []string{ada + "||Red|7"}},
		"Moodle in German":     {"Vorname;Nachname;ID-Nummer;E-Mail-Adresse;Gruppen;Rollen\nAda;Lovelace;7;ada@example.org;Rot;Teilnehmer/in\nBob;Bold;8;bob@example.org;;Trainer/in\n", []string{ada + "|member|Rot|7", "bob@example.org|Bob Bold|Bold|organizer||8"}},
		"Moodle in Spanish":    {"Nombre,Apellido(s),Número de ID,Dirección de correo,Grupos\nAda,Lovelace,7,ada@example.org,Rojo\n", []string{ada + "||Rojo|7"}},
		"Moodle in French":     {"Prénom,Nom de famille,Numéro d'identification,Adresse de courriel,Groupes\nAda,Lovelace,7,ada@example.org,Rouge\n", []string{ada + "||Rouge|7"}},
		"Canvas, grade book":   {"Student,ID,SIS User ID,SIS Login ID,Section,Essay (12),Final Score\n    Points Possible,,,,,20,(read only)\n\"Lovelace, Ada\",1,7,ada@example.org,S1,18,90\n\"Student, Test\",2,,da39a3ee5e6b4b0d,S1,,\n", []string{"ada@example.org|Lovelace, Ada|||S1|7"}},
		"Google Classroom":     {"Last Name,First Name,Email Address,Essay\nDate,,,2026-11-02\nPoints,,,20\nLovelace,Ada,ada@example.org,18\nClass average,,,18\n", []string{ada}},
		"Google Contacts":      {"First Name,Middle Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Labels\nAda,,Lovelace,* Work,ada@example.org,* myContacts\n", []string{ada}},
		"Outlook":              {"First Name,Middle Name,Last Name,Title,E-mail Address,E-mail 2 Address\nAda,,Lovelace,,ada@example.org,other@example.org\n", []string{ada}},
		"Outlook in German":    {"Vorname;Weitere Vornamen;Nachname;E-Mail-Adresse;E-Mail 2: Adresse\nAda;;Lovelace;ada@example.org;\n", []string{ada}},
		"Outlook in Spanish":   {"Nombre,Segundo nombre,Apellidos,Dirección de correo electrónico\nAda,,Lovelace,ada@example.org\n", []string{ada}},
		"Outlook in French":    {"Prénom;Deuxième prénom;Nom;Adresse de messagerie\nAda;;Lovelace;ada@example.org\n", []string{ada}},
		"Sakai":                {"Name,User ID,Email Address,Role,Group(s)\n\"Lovelace, Ada\",alove,ada@example.org,access,\n", []string{"ada@example.org|Lovelace, Ada||member"}},
		"a German class list":  {"Name;Vorname;E-Mail\nLovelace;Ada;ada@example.org\n", []string{ada}},
		"a Spanish class list": {"Apellidos;Nombre;Correo electrónico\nLovelace;Ada;ada@example.org\n", []string{ada}},
		"addresses alone":      {"ada@example.org\nbob@example.org\n", []string{"ada@example.org", "bob@example.org"}},
		"a list out of Outlook": {
			"Email,Name\n\"Ada Lovelace <ada@example.org>\",Ada\nmailto:bob@example.org;,Bob\n", []string{"ada@example.org|Ada", "bob@example.org|Bob"},
		},
		"this server": {"email,name,role,label,familyName,sourcedId\n'=ada@example.org,'-Ada,owner,'=Red,Lovelace,7\n", []string{"=ada@example.org|-Ada|Lovelace|owner|=Red|7"}},
		// Public trackers
		"Artemis #4939, TUMonline":              {"REGISTRATION_NUMBER;FAMILY_NAME_OF_STUDENT;FIRST_NAME_OF_STUDENT;E-MAIL ADDRESS OF STUDENT\n7;Lovelace;Ada;ada@example.org\n", []string{ada + "|||7"}},
		"Sakai #3231, translated grade books":   {"Numéro étudiant,Étudiant,Courriel\n7,\"Lovelace, Ada\",ada@example.org\n", []string{"ada@example.org|Lovelace, Ada||||7"}},
		"PrairieLearn #421 of classy, UID":      {"UID,UIN,Username,Name,Role,Q0\nada@example.org,7,ada,Ada Lovelace,Student,90\n", []string{"ada@example.org|Ada Lovelace||member||7"}},
		"Submitty #1425, blanks around cells":   {"email , name,label\n ada@example.org , Ada Lovelace , Red \n", []string{"ada@example.org|Ada Lovelace|||Red"}},
		"WebPA #23, blanks after commas":        {"name, email\nAda, ada@example.org\n", []string{"ada@example.org|Ada"}},
		"Pix #1638, French schools":             {"Premier prénom;Deuxième prénom;Nom de famille;Email;Numéro étudiant;Groupe\nAda;;Lovelace;ada@example.org;7;A\n", []string{ada + "||A|7"}},
		"GAM #710, a byte order mark":           {"\ufeffemail,name\nada@example.org,Ada\n", []string{"ada@example.org|Ada"}},
		"validator.js #940, a zero-width space": {"email\n\u200bada@example.org\n", []string{"ada@example.org"}},
		"mail #1173, a blank and one":           {"email\n\u200b ada@example.org\u00a0\n", []string{"ada@example.org"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, refused, _ := read(t, test.file, "")
			require.Empty(t, refused)
			require.Equal(t, test.want, lines)
		})
	}
}

// What cannot be read is refused with what is wrong.
func TestRosterSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want string }{
		"a zero-width space inside":    {"email\nada\u200b@example.org\n", "The address has an invisible character after “ada”: a zero-width space (U+200B). Type the address in place of pasting it."},
		"a no-break space inside":      {"email\nada\u00a0l@example.org\n", "after “ada”: a no-break space (U+00A0)"},
		"cerb #1349, a soft hyphen":    {"email\nada@exam\u00adple.org\n", "after “ada@exam”: a soft hyphen (U+00AD)"},
		"another invisible character":  {"email\nada\u2062@example.org\n", "after “ada”: U+2062"},
		"a lost character":             {"email,name\nada@example.org,J\ufffdrgen\n", "was lost"},
		"a shortened number":           {"email,ID number\nada@example.org,\"1,23457E+11\"\n", "A spreadsheet has shortened the number 1,23457E+11."},
		"NUL":                          {"email,name\nada@example.org,A\x00da\n", "The name must not contain control characters."},
		"no column of addresses":       {"Kontakt,Wer\nada@example.org,Ada\n", "The first line must name the columns, one of them email. It names: Kontakt, Wer."},
		"logins that are no addresses": {"Username,Last Name\nalove,Lovelace\n", "one of them email"},
		"two columns of addresses":     {"E-Mail-Adresse;Mailadresse\nada@example.org;bob@example.org\n", "one of them email"},
		"the same heading twice":       {"email,email\nada@example.org,bob@example.org\n", "one of them email"},
		"pawtograder #979, a person twice": {
			"email,name\nada@example.org,Ada\nada@example.org,Bob\n", "Line 2 has this address too, and says something else.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, refused, _ := read(t, test.file, "")
			require.Len(t, refused, 1)
			require.Contains(t, refused[0], test.want)
		})
	}
	for name, test := range map[string]struct{ file, want string }{
		"an Excel workbook":        {"PK\x03\x04", "This is a workbook of Excel"},
		"UTF-16 without its mark":  {"e\x00m\x00", "one of them email"},
		"nothing":                  {"", "The file is empty."},
		"100,000 columns":          {strings.Repeat("email,", 100_000), "A table has at most 2000 columns"},
		"too many lines":           {"email\n" + strings.Repeat("ada@example.org\n", studycircle.MaxRoster+1), "at most 10,000 lines"},
		"a quotation mark at once": {"em\"ail\n", "The quotation marks of this line are not right."},
	} {
		r, err := service.ReadRoster([]byte(test.file), nil)
		if err == nil && len(r.Refused) > 0 {
			err = r.Refused[0].Err
		}
		require.ErrorContains(t, err, test.want, name)
	}
}

// Users choose the columns that are not known, by heading or number; the file's columns and their first texts help.
func TestRosterColumnsAreChosen(t *testing.T) {
	t.Parallel()
	const file = "Kontakt;Wer;Klasse\n;;\nada@example.org;Ada;7b\n"
	_, refused, r := read(t, file, "")
	require.Len(t, refused, 1)
	require.Equal(t, []studycircle.RosterColumn{
		{Heading: "Kontakt", Example: "ada@example.org"}, {Heading: "Wer", Example: "Ada"}, {Heading: "Klasse", Example: "7b", As: "label"},
	}, r.Columns)
	for _, columns := range []string{"email=Kontakt,name=Wer", "email=#1,name=#2", "email=kontakt,name=#2"} {
		lines, refused, _ := read(t, file, columns)
		require.Empty(t, refused)
		require.Equal(t, []string{"ada@example.org|Ada|||7b"}, lines)
	}
	// A file without headings has an address in its first line.
	lines, _, r := read(t, "ada@example.org,Ada\nbob@example.org,Bob\n", "email=#1,name=#2")
	require.Equal(t, []string{"ada@example.org|Ada", "bob@example.org|Bob"}, lines)
	require.Equal(t, "ada@example.org", r.Columns[0].Example)
	_, err := service.ReadRoster([]byte(file), map[string]string{"email": "#9"})
	require.ErrorContains(t, err, "No column is named “#9”.")
}

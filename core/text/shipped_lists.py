"""Lists of words beside the gendered ones, from which an auditor chooses: names, identities, other languages.

Which first names tell a race or an ethnicity in the United States is known from Bertrand and Mullainathan (2004, names
on job applications), Caliskan, Bryson and Narayanan (2017, stimuli of the word embedding association test) and Tzioumis
(2018, first names on mortgage applications); the names below are those that several such studies or the public
registers of births agree on. They tell what readers take a name for, not who somebody is, and fit the United States.
"""

from core.language.told import retold, say, say_as
from core.text.word_lists import GENDER, OWN, Pair, WordList, WordSet, pairs_of


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    """Rows written as "one/other/third", separated by spaces."""
    return tuple(tuple(row.split("/")) for row in text.split())


NAMES_BY_GENDER = WordSet(
    about="Gender, by first name",  # verbatim
    sides=("female", "male"),
    capitalised=True,
    rows=_rows(
        "Mary/James Patricia/Robert Jennifer/John Linda/Michael Elizabeth/David Barbara/William Susan/Richard "
        "Jessica/Joseph Sarah/Thomas Karen/Charles Lisa/Christopher Nancy/Daniel Betty/Matthew Margaret/Anthony "
        "Sandra/Donald Ashley/Steven Kimberly/Paul Emily/Andrew Donna/Joshua Michelle/Kenneth Carol/Kevin "
        "Amanda/Brian Melissa/George Deborah/Edward Stephanie/Ronald Rebecca/Timothy Sharon/Jason Laura/Jeffrey "
        "Cynthia/Jacob Kathleen/Gary Amy/Nicholas Angela/Eric Shirley/Jonathan Anna/Stephen Brenda/Larry Pamela/Justin "
        "Emma/Scott Nicole/Brandon Helen/Benjamin Samantha/Samuel Katherine/Gregory Christine/Alexander Debra/Patrick "
        "Rachel/Jack Carolyn/Dennis Janet/Jerry Catherine/Adam Maria/Henry Heather/Peter Diane/Nathan Ruth/Zachary "
        "Julie/Douglas Olivia/Harold Joyce/Kyle Virginia/Roger Victoria/Keith Lauren/Carl Alice/Harry Judith/Albert "
        "Lakisha/Alonzo Ebony/Jamal Tamika/Darnell Latoya/Tyrone Keisha/Jermaine Tanisha/Leroy Latonya/Rasheed "
        "Aisha/Hakim Lakeisha/Kareem Shaniqua/Deion Meredith/Brendan Allison/Geoffrey Kristen/Todd Jill/Brad Anne/Neil "
        "Laurie/Brett Carrie/Greg Jane/Bill Joan/Frank Ann/Fred Claire/Simon"  # verbatim
    ),
)
"""Frequent first names in the United States that name one gender only."""

NAMES_BY_RACE = WordSet(
    about="Race or ethnicity, by first name",  # verbatim
    sides=("Black", "white", "Asian", "Hispanic"),
    capitalised=True,
    rows=_rows(
        "Lakisha/Emily/Mei/Guadalupe Latoya/Allison/Thuy/Marisol Tamika/Anne/Huong/Juana Tanisha/Carrie/Priya/Yesenia "
        "Keisha/Jill/Ngoc/Maribel Latonya/Laurie/Lakshmi/Xiomara Ebony/Kristen/Xin/Rocio Aisha/Meredith/Yuki/Alejandra "
        "Lakeisha/Molly/Ling/Esperanza Shaniqua/Claire/Eun/Graciela Jamal/Brad/Wei/Jose Darnell/Brendan/Minh/Juan "
        "Tyrone/Geoffrey/Sanjay/Luis Jermaine/Greg/Hiroshi/Carlos Leroy/Brett/Rajesh/Jorge Rasheed/Matthew/Tuan/Miguel "
        "Kareem/Neil/Jin/Alejandro Hakim/Todd/Dung/Pedro Tremayne/Scott/Vijay/Javier Alonzo/Connor/Nguyen/Ramon "
        "Deion/Jake/Kenji/Enrique Terrell/Hunter/Anil/Rafael Latisha/Katie/Hui/Consuelo "
        "Deshawn/Cody/Khanh/Raul"  # verbatim
    ),
)
"""First names that readers in the United States take for one race or ethnicity; women's names for women's."""

THEY = WordSet(
    about="Pronouns: she, he, they",  # verbatim
    sides=("she", "he", "they"),
    rows=_rows("she/he/they her/his/their hers/him/them herself/himself/themselves"),  # verbatim
)

IDENTITIES = (
    WordSet(
        about="Race",
        sides=("Black", "white", "Asian", "Hispanic"),
        rows=_rows("black/white/asian/hispanic blacks/whites/asians/hispanics"),  # verbatim
    ),
    WordSet(
        about="Religion",
        sides=("Muslim", "Christian", "Jewish", "Hindu", "Buddhist"),
        rows=_rows(
            "muslim/christian/jewish/hindu/buddhist muslims/christians/jews/hindus/buddhists "
            "islam/christianity/judaism/hinduism/buddhism"  # verbatim
        ),
    ),
    WordSet(
        about="Sexual orientation",  # verbatim
        sides=("gay or lesbian", "straight"),  # verbatim
        rows=_rows(
            "gay/straight homosexual/heterosexual homosexuals/heterosexuals homosexuality/heterosexuality"  # verbatim
        ),  # verbatim
    ),
    WordSet(
        about="Gender identity",  # verbatim
        sides=("transgender", "cisgender"),
        rows=_rows("transgender/cisgender trans/cis"),  # verbatim
    ),
    WordSet(
        about="Age",
        sides=("old", "young"),
        rows=_rows(
            "old/young older/younger oldest/youngest elderly/youthful retiree/teenager retirees/teenagers"  # verbatim
        ),  # verbatim
    ),
    WordSet(
        about="Disability",
        sides=("disabled", "not disabled"),  # verbatim
        rows=_rows("disabled/nondisabled blind/sighted deaf/hearing autistic/neurotypical"),  # verbatim
    ),
    WordSet(
        about="Nationality",
        sides=("American", "Mexican", "Chinese", "Nigerian", "Indian", "German"),
        rows=_rows(
            "american/mexican/chinese/nigerian/indian/german america/mexico/china/nigeria/india/germany"  # verbatim
        ),  # verbatim
    ),
)

GERMAN = pairs_of(
    "sie/er ihr/sein ihre/seine ihren/seinen ihrem/seinem ihrer/seiner frau/mann frauen/männer mutter/vater "
    "mütter/väter tochter/sohn töchter/söhne schwester/bruder schwestern/brüder mädchen/junge tante/onkel nichte/neffe "
    "großmutter/großvater oma/opa freundin/freund lehrerin/lehrer ärztin/arzt ärztinnen/ärzte anwältin/anwalt "
    "schauspielerin/schauspieler sängerin/sänger professorin/professor königin/könig prinzessin/prinz witwe/witwer "
    "schülerin/schüler studentin/student kollegin/kollege autorin/autor direktorin/direktor chefin/chef "
    "kellnerin/kellner weiblich/männlich weibliche/männliche"  # verbatim
)
FRENCH = pairs_of(
    "elle/il elles/ils femme/homme femmes/hommes mère/père mères/pères sœur/frère sœurs/frères tante/oncle nièce/neveu "
    "épouse/époux reine/roi princesse/prince madame/monsieur fillette/garçonnet "
    "actrice/acteur actrices/acteurs chanteuse/chanteur directrice/directeur étudiante/étudiant avocate/avocat "
    "infirmière/infirmier serveuse/serveur veuve/veuf cousine/cousin amie/ami féminin/masculin"  # verbatim
)
SPANISH = pairs_of(
    "ella/él ellas/ellos mujer/hombre mujeres/hombres madre/padre madres/padres hija/hijo hijas/hijos hermana/hermano "
    "hermanas/hermanos niña/niño niñas/niños chica/chico chicas/chicos tía/tío tías/tíos sobrina/sobrino abuela/abuelo "
    "abuelas/abuelos señora/señor señoras/señores reina/rey princesa/príncipe actriz/actor actrices/actores "
    "profesora/profesor doctora/doctor abogada/abogado enfermera/enfermero maestra/maestro escritora/escritor "
    "viuda/viudo amiga/amigo femenina/masculino"  # verbatim
)

LISTS: dict[str, WordList] = {
    GENDER.name: GENDER,
    "She, he and they": WordList(name="She, he and they", sets=(THEY,)),  # verbatim
    "First names by race and ethnicity (United States)": WordList(  # verbatim
        name="First names by race",  # verbatim
        sets=(NAMES_BY_RACE,),
    ),
    "First names by gender (United States)": WordList(  # verbatim
        name="First names by gender",  # verbatim
        sets=(NAMES_BY_GENDER,),
    ),
    **{f"{one.about}: terms": WordList(name=one.about, sets=(one,)) for one in IDENTITIES},  # verbatim
    "German gendered words": WordList(name="German", pairs=GERMAN),  # verbatim
    "French gendered words": WordList(name="French", pairs=FRENCH),  # verbatim
    "Spanish gendered words": WordList(name="Spanish", pairs=SPANISH),  # verbatim
}
"""The lists by the name people choose them by. In German, French and Spanish, articles, adjectives and participles keep
their gender, so that counterparts are not always grammatical; German "sie" is "they" too, and counts as "she"."""

_SHOWN = {
    OWN: say("Own list"),
    GENDER.name: say("Gendered words"),
    "She, he and they": say("She, he and they"),  # verbatim
    "First names by race and ethnicity (United States)": say(  # verbatim
        "First names by race and ethnicity (United States)"
    ),
    "First names by race": say("First names by race"),  # verbatim
    "First names by gender (United States)": say("First names by gender (United States)"),  # verbatim
    "First names by gender": say("First names by gender"),  # verbatim
    "Gender, by first name": say("Gender, by first name"),  # verbatim
    "Race or ethnicity, by first name": say("Race or ethnicity, by first name"),  # verbatim
    "Pronouns: she, he, they": say("Pronouns: she, he, they"),  # verbatim
    "Race": say("Race"),
    "Religion": say("Religion"),
    "Sexual orientation": say("Sexual orientation"),  # verbatim
    "Gender identity": say("Gender identity"),  # verbatim
    "Age": say("Age"),
    "Disability": say("Disability"),
    "Nationality": say("Nationality"),
    "German": say_as("a language", "German"),
    "French": say_as("a language", "French"),
    "Spanish": say_as("a language", "Spanish"),
    "German gendered words": say("German gendered words"),  # verbatim
    "French gendered words": say("French gendered words"),  # verbatim
    "Spanish gendered words": say("Spanish gendered words"),  # verbatim
}


def shown(name: str) -> str:
    """The name of a list, of several together, or of what a set is about: ours in the reader's language."""
    about, terms, _ = name.partition(": terms")
    if terms:
        return say("{about}: terms", about=shown(about))
    return " + ".join(retold(_SHOWN.get(part, part)) for part in name.split(" + "))


def together(chosen: tuple[str, ...]) -> WordList:
    """One list of several, in the order of :data:`LISTS`; of a word in several sets the first counts."""
    lists = [words for name, words in LISTS.items() if name in chosen]
    pairs: dict[tuple[str, str], Pair] = {(one.word, one.counterpart): one for words in lists for one in words.pairs}
    return WordList(
        name=" + ".join(words.name for words in lists)[:200],
        pairs=tuple(pairs.values()),
        kept=tuple(dict.fromkeys(word for words in lists for word in words.kept)),
        sets=tuple(one for words in lists for one in words.sets),
    )


def held_in(words: WordList) -> tuple[str, ...]:
    """The names of the lists that this one holds whole."""
    pairs, sets = set(words.pairs), set(words.sets)
    return tuple(name for name, one in LISTS.items() if pairs.issuperset(one.pairs) and sets.issuperset(one.sets))

"""What the built-in tables are about, by their kinds."""

from core.language.told import say

ABOUT = {
    "adult": say("45,222 people of the 1994 US census: does somebody earn more than 50,000 dollars a year?"),
    "compas": say("Defendants of Broward County: is somebody charged again within two years?"),
    "two_groups": say(
        "Eq. E.1: a minority of 10% whose first coordinate is shifted by three, and an outcome that uses it unfairly."
    ),
    "hiring": say("Applicants of an invented company: what they bring, who they are, whether they were hired."),
    "hiring_decisions": say(
        "Applicants of the invented company and whom its biased program invites; some do not state their ethnicity."
    ),
    "biographies": say("Invented people: a biography each, an occupation, a gender."),
    "bios": say("People of 28 occupations, in the words of their web pages (De-Arteaga et al., 2019; MIT licence)."),
    "madlibs": say(
        "76,564 short sentences for and against 50 groups (Dixon et al., 2018; Apache-2.0): half BAD, half NOT_BAD."
    ),
    "winogender": say("720 sentences: 120 templates about 60 occupations, two participants and three pronouns each."),
    "communities": say("1,994 communities of the USA: how many violent crimes are there for each resident?"),
    "nursery": say("12,958 applications to nursery schools of Ljubljana in the 1980s: how are they ranked?"),
    "diabetes": say("442 people with diabetes: how far had the disease gone a year after these ten measurements?"),
    "two_slopes": say("Two groups whose outcomes are equally easy to predict, each from a column of its own."),
}

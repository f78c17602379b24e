"""Everything in an invented biography but the work: sentences, places, hobbies and the words that tell a gender.

In the sentences, ``{name}`` is a place to fill: a pair of :data:`GENDERED` words, a list of :data:`SLOTS`, a kind of
phrase of :class:`core.sources.simulated.biographies_work.Work`, or ``hobby`` and ``cause``.
"""


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split(";"))


GENDERED = {
    "she": ("she", "he"),
    "her": ("her", "his"),
    "them": ("her", "him"),
    "herself": ("herself", "himself"),
    "ms": ("Ms.", "Mr."),
    "mother": ("mother", "father"),
    "mom": ("mom", "dad"),
    "wife": ("wife", "husband"),
    "spouse": ("husband", "wife"),
    "daughter": ("daughter", "son"),
    "sister": ("sister", "brother"),
    "aunt": ("aunt", "uncle"),
    "grandmother": ("grandmother", "grandfather"),
    "actress": ("actress", "actor"),
    "woman": ("woman", "man"),
    "girl": ("girl", "boy"),
    "lady": ("lady", "gentleman"),
    "chairwoman": ("chairwoman", "chairman"),
    "spokeswoman": ("spokeswoman", "spokesman"),
    "businesswoman": ("businesswoman", "businessman"),
    "waitress": ("waitress", "waiter"),
    "hostess": ("hostess", "host"),
    "heroine": ("heroine", "hero"),
    "sportswoman": ("sportswoman", "sportsman"),
    "widow": ("widow", "widower"),
    "bride": ("bride", "groom"),
    "niece": ("niece", "nephew"),
    "women": ("women's", "men's"),
}
"""The word for a woman and the word for a man. ``spouse`` supposes a spouse of the other gender."""

SLOTS = {
    "n": _phrases(
        "two; three; four; five; six; seven; eight; nine; ten; twelve; fifteen; twenty; twenty five; 10; 15; 20; 25;"
        " 30; 7; 8"
    ),
    "year": tuple(str(year) for year in range(1978, 2024)),
    "month": _phrases(
        "January; February; March; April; May; June; July; August; September; October; November; December"
    ),
    "surname": _phrases(
        "Hale; Brook; Lane; Marsh; Stone; Reed; Vance; Field; Ashby; Calder; Quill; Winter; Moss; Grove; Harlow;"
        " Perrin; Okoro; Lindqvist; Tanaka; Ferreira; Novak; Rahman; Castell; Johnson; Smith; Lee;"
        " Brown; Martin; Cohen; Patel"
    ),
    "first": _phrases(
        "Robin; Alex; Sam; Jordan; Taylor; Casey; Morgan; Jamie; Riley; Avery; Quinn; Rowan; Sasha; Kim; Chris; Jo"
    ),
    "city": _phrases(
        "London; New York; Chicago; Toronto; Sydney; San Francisco; Boston; Dallas; Houston; Austin; Seattle; Miami;"
        " Los Angeles; Atlanta; Denver; Portland; San Diego; Philadelphia; Minneapolis; Detroit; Washington; Vancouver;"
        " Montreal; Melbourne; Auckland; Dublin; Manchester; Edinburgh; Berlin; Paris; Rome; Mumbai; Delhi; Hong Kong;"
        " Singapore; Nairobi; Lagos; Cape Town; Mexico City; Indianapolis; Louisville; St. Louis; Orlando; Tampa;"
        " Phoenix; Las Vegas; Pittsburgh; Cleveland; Baltimore; Nashville"
    ),
    "state": _phrases(
        "California; Texas; Florida; Illinois; Ohio; Michigan; Georgia; Virginia; North Carolina; South Carolina;"
        " Pennsylvania; Massachusetts; New Jersey; Arizona; Colorado; Wisconsin; Minnesota; Oregon; Kansas; Tennessee;"
        " Kentucky; Louisiana; Mississippi; Missouri; Indiana; Iowa; Maryland; Connecticut; Alabama; Oklahoma;"
        " Ontario; British Columbia; New South Wales; West Virginia; Utah; Nevada"
    ),
    "country": _phrases(
        "Canada; Australia; England; Ireland; Scotland; Wales; India; South Africa; Nigeria; Kenya; New Zealand;"
        " Germany; France; Italy; Spain; Mexico; Brazil; China; Japan; Malaysia; the Philippines; the United States;"
        " the United Kingdom; Pakistan; Uganda; Tanzania; Israel; Nepal; Russia; Sweden"
    ),
    "school": _phrases(
        "the University of {city}; {state} State University; the University of {state}; {city} College; the {city}"
        " Institute of Technology; the National University of {country}; a university in {country}; {surname}"
        " University; {state} Community College; {surname} College in {city}"
    ),
    "degree": _phrases(
        "a bachelor's degree; a master's degree; a Bachelor of Arts degree; a Bachelor of Science; a B.A.; an M.A.;"
        " a BA; a BS; a diploma; a certificate; a Master of Science; a Ph.D.; a PhD; an honours degree; an"
        " undergraduate degree; a graduate degree; an MBA and a degree; a doctorate; an advanced degree; a dual degree"
    ),
    "town": _phrases(
        "a small town in {state}; the suburbs of {city}; a farm in {state}; a village near {city}; the north of"
        " {country}; {city}; a fishing town on the coast; the heart of {city}; the greater {city}"
        " area; the valley; a beach house in {state}"
    ),
    "group": _phrases(
        "the {city} chamber of commerce; the national association; the state society; the professional council; the"
        " board of directors of a museum; a family shelter; the local rotary club; the international federation; the"
        " editorial board of a journal; the {state} association; a youth organization; the alumni council; a housing"
        " trust; the planning committee of the {city} festival; an advisory board; the {country} institute"
    ),
    "children": _phrases(
        "two; three; four; two young children; three grown children; a baby and a teenager; five children"
    ),
    "age": _phrases("thirty; forty; the age of twenty nine; fifty; the age of 35"),
    "quality": _phrases(
        "passion; energy; patience; attention to detail; a sense of humor; dedication; honesty; hard work; curiosity;"
        " warmth; creativity; integrity; a practical approach; an independent mind; kindness; professional standards"
    ),
    "pet": _phrases(
        "two dogs; a cat; three cats; a golden retriever; two horses; a parrot; an old rescue dog; chickens"
    ),
    "honor": _phrases(
        "an award for service; a gold medal; a scholarship; a national prize; an honorary degree; a bronze star; a"
        " lifetime achievement award; a grant; recognition as a rising leader; a distinguished service award"
    ),
    "early": _phrases(
        "a cook; a bank clerk; a sales assistant; a mechanic; a tour guide; a lifeguard; a librarian; a farm worker; a"
        " taxi driver; a receptionist; a volunteer; a soldier; a flight attendant; an intern; a shop owner; an analyst"
    ),
}
"""What may stand in a place of the same name; an entry may have places of its own."""

HOBBIES = {
    "women": _phrases(
        "knitting; baking bread; gardening; ballet; quilting; pottery; horse riding; romance novels; flower arranging;"
        " interior decoration; pilates; scrapbooking; singing in the choir; sewing; jewelry making; shopping with"
        " friends; figure skating; needlework; book clubs; cooking for friends; salsa dancing; making candles"
    ),
    "men": _phrases(
        "football; fishing; golf; motorcycles; woodworking; hunting; video games; poker; ice hockey; rugby; vintage"
        " cars; barbecue; chess; cricket; boxing; model trains; beer brewing; sailing; basketball; wrestling; computer"
        " games; building radios"
    ),
    "both": _phrases(
        "reading; travel; hiking; swimming; cycling; camping; movies; tennis; photography walks; bird watching; live"
        " music; running; skiing; board games; museums; playing the guitar; good food and wine; running marathons;"
        " crosswords; long walks on the beach; foreign languages; kayaking; stamp collecting; watching the stars"
    ),
}
CAUSES = {
    "women": _phrases(
        "a nursery; a parents' association; a charity for newborn babies; a dance school; a shelter for abused animals;"
        " a knitting circle; a campaign for child care; a breast cancer charity; a fashion sale for charity"
    ),
    "men": _phrases(
        "a youth football club; the volunteer fire department; a veterans' club; a golf tournament for charity; a"
        " hunting and fishing club; a motor club; the army reserve; an engineering club; a wrestling team"
    ),
    "both": _phrases(
        "a food bank; a homeless shelter; a literacy program; a local hospital; an environmental group; a neighborhood"
        " association; a theater group; a community garden; a sports club; a public library; a campaign for clean"
        " water; a refugee center; a children's charity; a recycling project"
    ),
}
"""Free time and good causes by whom stereotypes give them to; all of our own choice."""

WORK = (
    "{She} specializes in {field} and {field}.",
    "{Her} work focuses on {field}, {field} and {field}.",
    "{She} {deed}, and {she} {deed}.",
    "At {place}, {she} {deed}.",
    "{She} has {n} years of experience in {field}.",
    "Currently {she} {deed} at {place}.",
    "In {year} {she} {past}.",
    "{She} {past} before joining {place}.",
    "{Her} areas of interest include {field} and {field}.",
    "{Ms} {surname} {deed}.",
    "{Ms} {surname} {past} and now {deed}.",
    "Since {year} {she} has been based at {place}, where {she} {deed}.",
    "Over the past {n} years {she} has gained extensive knowledge of {field}.",
    "{She} is known for {her} expertise in {field}.",
    "{Her} background includes {field}, {field} and {field}.",
    "After {she} {past}, {she} moved to {place} in {city}.",
    "Today {she} {deed} and is responsible for {field}.",
    "{She} brings {quality} to {field}.",
    "Prior to that, {she} {past}.",
    "For more than {n} years, {she} worked at {place} in {city}.",
    "{She} also {deed}.",
    "With {her} team in {city}, {she} {deed}.",
    "{Her} current projects deal with {field} and with {field}.",
    "{First} {surname} {deed} in {city}.",
    "In addition, {she} {past}.",
    "What {she} likes most is {field}, but {she} also {deed}.",
    "{Her} practice covers {field}, {field} as well as {field}.",
    "{First} {past} in {month} {year}.",
    "{She} has been involved in {field} throughout {her} career, both in {country} and in {country}.",
    "{Her} first job was at {place}; there {she} learned all about {field}.",
)
STUDIES = (
    "{She} earned {degree} in {study} from {school}.",
    "{She} studied {study} at {school}.",
    "{She} holds {degree} in {study} and {study}.",
    "{She} graduated from {school} in {year} with {degree} in {study}.",
    "After high school {she} went to {school} to study {study}.",
    "{She} received {her} degree in {study} from {school}, and {degree} from {school}.",
    "{Ms} {surname} completed {degree} in {study} at {school}.",
    "{She} attended {school} and graduated with honors, cum laude, in {study}.",
    "Having {degree} in {study}, {she} continues to take courses at {school}.",
    "{She} obtained {degree} in {study} while working full time in {city}.",
    "{Her} education includes {degree} in {study} and post graduate studies in {country}.",
    "{She} majored in {study} and spent a semester in {country}.",
)
CAREER = (
    "{She} has also worked as {early}.",
    "Earlier in {her} career {she} worked as {early} in {country}.",
    "{She} started out as {early} and changed {her} career at {age}.",
    "{She} is a member of {group} and of {group}.",
    "{She} serves on {group}.",
    "In {year}, {she} received {honor} from {group}.",
    "{She} has lived in {country} and {country}.",
    "{Her} work has taken {them} to {country}, {country} and {country}.",
    "{She} has been awarded {honor}.",
    "{She} speaks English and is also fluent in Spanish.",
    "Colleagues value {them} for {her} {quality}.",
    "{She} believes in {quality} and {quality}.",
    "{She} joined the company in {year} and became director in {year}.",
    "{She} manages a team of {n} people and reports directly to the board.",
    "{She} is the founder and owner of a small business in {city}.",
    "{Her} clients range from individuals to large corporations.",
    "{She} can be found on the web and on Twitter.",
    "For more information, visit {her} website.",
    "To contact {them}, please call {her} office in {city}.",
    "{She} has written numerous articles and is a frequent speaker at conferences.",
    "{She} served as a volunteer with {group} for {n} years.",
    "{She} retired from {group} in {year}, but continues to work part time.",
    "{She} divides {her} time between {city} and {city}.",
    "{Ms} {surname} was appointed to {group} in {month} {year}.",
    "{She} was born in {town}.",
    "{She} grew up in {town} and moved to {city} in {year}.",
    "{She} lives in {town}.",
    "{She} is originally from {town}.",
    "{She} served in the military before {she} came to {city}.",
    "{She} took {n} years off to travel through {country} and {country}.",
    "{She} currently holds a senior position and has served under three executive vice presidents.",
    "During this period {she} was elected president of {group}.",
    "There are many reasons why people trust {them}, such as {quality} and strong skills.",
    "{She} does not take on more than {she} can do, yet always makes time for others.",
    "{Ms} {surname} has held various management roles, including senior manager and general manager.",
    "{She} oversees all day to day operations within {her} department and has significant experience of raising funds.",
    "{She} has always wanted to make a difference and to share {her} knowledge with the next generation.",
    "This year {she} was listed among the top {n} professionals in {state}.",
    "{She} was recognized by {group} for {her} outstanding work.",
    "If you would like to know more about {them}, read {her} interview in our quarterly review.",
    "{Her} goal is to provide the best service at a fair price.",
    "{She} played a key role in the growth of {group}, which now has over {n} hundred members.",
    "{She} provides comprehensive advice and consulting on a wide range of issues, from strategy to technology.",
    "{Her} clients include individuals, entrepreneurs, nonprofits and large companies in a variety of industries.",
    "{She} has been employed in the public sector, the oil industry and, most recently, in financial services.",
    "Being self-employed, {she} understands that a limited budget need not mean less quality.",
    "{She} was previously a director of a listed investment company with assets of {n} million dollars.",
    "Although {she} has never looked for success, {she} has been very successful in this competitive market.",
    "{She} is committed to giving customers the same attention that {she} would expect for {herself}.",
    "{Her} key strengths are strong communication, strategic thinking and decisions that are both quick and accurate.",
    "{She} spends most of {her} time helping others to achieve their dreams, then goes for a long run.",
    "{She} regularly lectures at {school} and at the {city} center for continuing education.",
    "Throughout {her} career {she} has focused on building relationships, because people come first.",
    "{She} has experience with different systems, processes and procedures, including external audits.",
    "{She} now works from a beautiful old house by the river and still drives a blue truck.",
    "{Ms} {surname} enjoys the challenge of change and looks forward to the future.",
    "{She} thinks that little things matter and that each day is a chance to start again.",
    "During the last decade {she} handled a number of major accounts on behalf of well known brands.",
    "{She} was responsible for planning, budgeting, purchasing and human resources within the group.",
    "{She} has contributed to several books, papers and reviews, and some of them became popular worldwide.",
    "{Her} interest in this subject began when {she} was a student and got a part time position during summer break.",
    "{She} participates actively in the economic and cultural life of the region, mainly in the south and west.",
    "{She} sits on the finance committee, is a trustee of the pension fund and acts as deputy treasurer of {group}.",
    "Once {she} was asked what makes a good professional; {she} said: ask, listen, learn and do not give up.",
    "{She} worked in Asia, Europe, Latin America and the Middle East for a global network before returning home.",
    "{She} is licensed in {state} and {state} and has a certificate from {group}.",
    "{She} has been practicing in {city} since {year} and is highly regarded by peers.",
    "{She} uses social media, e-mail and {her} own website to reach a broad audience; search for the name {surname}.",
    "{Her} unique approach combines traditional methods with the latest tools and techniques.",
    "{She} managed the merger of two departments, developed new policies and helped to ensure a smooth transition.",
    "{She} leads a team that ranges from {n} to {n} staff and takes responsibility for the results.",
    "However, {she} is perhaps best known for {her} role as adviser to the government of {country}.",
    "{She} would rather be at home with a good story than at any of those big events.",
    "{She} moved back to {town} to be near {her} kids and friends, which {she} says was the best decision ever.",
    "After an accident {she} left the corporate world for good and decided to follow {her} heart.",
    "{She} will be speaking about leadership and effective management at next year's annual meeting of {group}.",
    "Before {year}, {she} was with one of the big four firms, where {she} advised clients in mining and retail.",
    "{She} also has an active license, insurance and excellent references; please send an email for further details.",
    "{She} is currently pursuing {degree} while raising a family and running a business from home.",
    "{She} set up {her} first company at a very young age, sold it and made enough money to travel the world.",
    "{She} trained {n} hundred people online and in person, among them executives, immigrants and students.",
    "{She} reviews new products, writes about trends and shares tips on {her} blog, which is updated daily.",
    "{She} enjoys a reputation for sound judgment, clear language and thorough preparation.",
    "{She} assists owners of property and real estate with leases, loans, permits, zoning and other problems.",
    "{She} is one of the founding members of {group} and has served as its secretary, chair and president.",
    "There is no typical week for {them}: it might mean meetings in {city}, a visit to a site or an evening class.",
    "If you have questions, {she} will be happy to see you by appointment at {her} {city} location, free of charge.",
    "{She} is CEO of {surname} Inc., and before that {she} was CFO of {surname} Ltd. and of {surname} LLC.",
    "{She} appreciates honest people, hates waiting in line and cannot live without coffee.",
)
FAMILY = (
    "{She} is the {mother} of {children}.",
    "{She} lives in {town} with {her} {spouse} and {pet}.",
    "{She} and {her} {spouse} have {children}.",
    "As a {mother} of {children}, {she} knows how precious time is.",
    "{She} is the {daughter} of immigrants from {country}.",
    "{She} is the younger {sister} of twins.",
    "{She} is a proud {aunt} and {grandmother}.",
    "{She} describes {herself} as a {girl} from {town}.",
    "Friends describe {them} as a {woman} of great {quality}.",
    "{She} once worked as a {waitress} in {city}.",
    "{She} has also appeared as an {actress} in a local play.",
    "{She} is {chairwoman} of {group}.",
    "{She} is a {spokeswoman} for {cause}.",
    "{She} is a successful {businesswoman} from {town}.",
    "{She} taught {herself} to cook and to play the piano.",
    "{She} is a young {lady} from {town} with {quality}.",
    "{She} was named {businesswoman} of the year in {city}.",
    "A single {mom} of {children}, {she} moved to {town} in {year}.",
    "{She} has been a {widow} since {year}.",
    "{She} is the {niece} of a former mayor of {city}.",
    "A keen {sportswoman}, {she} captained the {women} team of {school}.",
    "{She} works as a {hostess} of charity events for {group}.",
    "To {her} neighbors in {town}, {she} is a {heroine}.",
    "{She} is married and lives in {town} with {pet}.",
    "{She} lives in {town} with {her} family and {pet}.",
    "A proud {wife} and {mother}, {she} lives in {town}.",
    "{She} was a happy {bride} in {year} and still lives in {town}.",
    "{Her} parents came from {country}, and {she} was raised in {town}.",
    "{She} and {her} {spouse}, {first}, have been together since {year}.",
)
FREE_TIME = (
    "In {her} spare time {she} enjoys {hobby} and {hobby}.",
    "When {she} is not working, {she} loves {hobby}.",
    "{Her} hobbies include {hobby}, {hobby} and {hobby}.",
    "Outside of work, {her} interests are {hobby} and {hobby}.",
    "{She} volunteers with {cause}.",
    "{She} supports {cause} and {cause}.",
    "On weekends {she} spends {her} time on {hobby}.",
    "{She} has a passion for {hobby}.",
    "Away from the office {she} is often busy with {hobby} or {hobby}.",
    "{She} is an avid fan of {hobby} and raises money for {cause}.",
    "{She} has been active in {cause} for {n} years.",
    "Among other things {she} likes {hobby}, {hobby} and spending time with {her} friends.",
    "{She} gives back to the community through {cause}.",
    "You will often find {them} busy with {hobby}.",
    "{She} discovered {hobby} late in life.",
)
"""Sentences by what they are about."""

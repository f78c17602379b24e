"""What invented people do for a living: phrases of our own for 28 occupations and for the families they belong to.

A family's phrases fit each of its occupations alike: a text made of them alone leaves the occupation open.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """Phrases about one kind of work.

    Attributes:
        fields: What the work is about; noun phrases.
        deeds: What somebody does; verb phrases that follow "she" or "he".
        places: Where somebody works; with their article.
        past: What somebody did; verb phrases in the past tense.
        studies: What somebody studied.
    """

    fields: tuple[str, ...]
    deeds: tuple[str, ...]
    places: tuple[str, ...]
    past: tuple[str, ...]
    studies: tuple[str, ...]


@dataclass(frozen=True)
class Occupation:
    """An occupation of the corpus.

    Attributes:
        family: Key of :data:`FAMILIES`.
        women: Share of women among its people when the corpus is fully biased; made up after common stereotypes.
        work: Phrases that give the occupation away.
    """

    family: str
    women: float
    work: Work


def _work(fields: str, deeds: str, places: str, past: str, studies: str) -> Work:
    """Phrases parted by semicolons."""
    kinds = ([phrase.strip() for phrase in text.split(";")] for text in (fields, deeds, places, past, studies))
    return Work(*map(tuple, kinds))


FAMILIES = {
    "health": _work(
        "patient care; pain relief; public health; family health; preventive care; chronic illness; wellness; treatment"
        " of children and adults; health education; medical ethics; recovery after an injury; people over sixty;"
        " quality of care; emergency services; new treatments",
        "sees patients of all ages; takes time to listen to every patient; works closely with other doctors and staff;"
        " helps people to live a healthy life; keeps careful records of every visit; explains each treatment clearly;"
        " accepts most major insurance plans; treats patients in the clinic and at home; answers medical questions on"
        " a health blog; is on call two nights a week",
        "a community clinic; the regional medical center; a busy city hospital; a private practice; a health center for"
        " veterans; the county health department; a children's hospital; a university hospital",
        "completed a year of clinical training; trained at a large teaching hospital; volunteered at a free clinic;"
        " joined a group practice; received an award for patient satisfaction; moved into private practice; helped to"
        " open a new medical office; spent a year caring for patients overseas; passed the national board exam",
        "biology; health sciences; medicine; human physiology; chemistry; public health",
    ),
    "fitness": _work(
        "healthy living; weight loss; balance of body and mind; physical activity; strength; stress; a positive"
        " lifestyle; sports; better sleep; wellness at work; natural foods; long term goals; injury prevention",
        "helps clients to reach their goals; believes that small changes lead to lasting results; works with people of"
        " all ages and levels; writes about food and exercise; leads small group classes; offers private sessions;"
        " coaches busy professionals; travels to events around the country; teaches the principles of a healthy body",
        "a wellness center; a downtown health club; a small studio; a sports club; the community center;"
        " a holistic health practice",
        "became certified after a long career in sales; overcame an injury and changed direction; opened a small"
        " studio; completed a certificate in wellness coaching; created an online program; trained with several"
        " well known experts; appeared in a fitness magazine",
        "exercise science; kinesiology; health education; nutrition; sports management",
    ),
    "office": _work(
        "contracts; compliance; small business; estates and trusts; real estate transactions; mergers; regulations;"
        " corporate governance; family business; risk management; nonprofit organizations; bankruptcy; insurance"
        " claims; client relations; employee benefits; international trade",
        "advises small businesses and individuals; reviews contracts and other documents; handles sensitive matters for"
        " clients; prepares reports for the court; meets clients by appointment; manages a team of specialists;"
        " coordinates the work of several offices; keeps up with changes in the law; solves complex problems under"
        " pressure; serves on the board of a local charity",
        "a mid-sized firm; the corporate office of a bank; a national partnership; a small office downtown;"
        " a government agency; the headquarters of an insurance company; a family firm",
        "joined the firm as an assistant; became a partner after eight years; assisted in a major corporate case;"
        " worked for the federal government; managed the office of a local firm; led a committee of the chamber of"
        " commerce; started as a clerk in a busy office; was promoted to manager",
        "business administration; economics; commerce; political science; finance; management",
    ),
    "learning": _work(
        "faith and learning; young people; education; history; community service; moral questions; reading; leadership;"
        " world cultures; character; language and society; adult education; volunteer work; ethics",
        "speaks to young people across the state; leads a weekly discussion group; loves to see others grow; teaches"
        " adults in the evening; prepares lessons with great care; encourages everyone to ask questions; guides a"
        " summer program abroad; writes articles on education; serves families in the neighborhood",
        "a small college; a church school; the local university; a private academy; an international school;"
        " a learning center in the city",
        "taught abroad for two years; founded a youth group; led a mission to schools in East Africa; received an"
        " award for outstanding service; wrote a guide for parents; was elected to the school board; helped to build"
        " a library; spoke at a national conference",
        "education; history; philosophy; religious studies; English; languages",
    ),
    "making": _work(
        "design; new technology; innovative solutions; space and light; user experience; sustainable materials; project"
        " management; digital tools; creative teams; planning; complex systems; drawing; models; details; standards",
        "leads projects from the first sketch to the final product; works with clients to understand their needs;"
        " combines form and function; manages budgets and schedules; presents plans to clients; turns ideas into"
        " simple solutions; works with contractors and engineers; runs a small team; builds prototypes; loves clean"
        " lines and good details",
        "a design firm; an award winning studio; a technology startup; a small agency; a multinational corporation;"
        " a development company; an independent consultancy",
        "started a small studio with a friend; won a national design award; led the development of a new product;"
        " worked on projects in Asia and the Middle East; was featured in a design magazine; designed a new office"
        " for a bank; opened a second office; presented work at a conference in Germany",
        "design; computer graphics; fine arts; environmental design; industrial design; engineering",
    ),
    "music": _work(
        "music; live performance; sound; rhythm; studio recording; jazz; soul; electronic music; film and television;"
        " young talent; independent labels; songwriting; world music; rock and pop",
        "performs at festivals around the world; records in a home studio; works with singers and bands; tours Europe"
        " every summer; writes new material every week; blends different styles; releases music on an independent"
        " label; plays several instruments; appears on national radio",
        "an independent label; a recording studio; a concert hall; a radio station; a music school; a production"
        " company",
        "released a debut album; grew up in a musical family; started to play at the age of six; signed a contract with"
        " a record label; toured with a well known band; won a music prize; recorded three albums; sold out a tour of"
        " twelve cities; reached the top of the charts",
        "music; sound engineering; music theory; performing arts; jazz studies",
    ),
    "stage": _work(
        "visual storytelling; popular culture; fashion; film; theater; portraits; humor; social media; light and color;"
        " commercial work; beauty; modern art; identity; live events; advertising campaigns; everyday life",
        "travels the world for new projects; works with magazines and brands; tells stories about ordinary people;"
        " appears at festivals; is known for an original style; shows new work every spring; has a large following"
        " online; works in New York and Paris; finds inspiration in daily life; collaborates with young artists",
        "a creative agency; an arts center; a small theater; a television network; a fashion magazine; a gallery; an"
        " independent production company",
        "appeared in several commercials; moved to Los Angeles at the age of nineteen; was named one of ten rising"
        " talents; took part in a show in London; worked for a popular magazine; studied with a famous artist; was"
        " discovered at a summer festival; received a grant from the arts council; had a solo show in Berlin",
        "art; media studies; theater; visual communication; fine arts; film studies",
    ),
    "letters": _work(
        "writing; current affairs; travel; memory and loss; politics; culture; essays; language; human rights; nature;"
        " the lives of immigrants; literature; the arts; stories from small towns",
        "writes for newspapers and magazines; reads at literary festivals; edits an online magazine; contributes to"
        " several national publications; teaches a writing workshop; keeps a blog about books; is working on a first"
        " novel; translates from Spanish and Arabic; publishes a monthly letter to readers",
        "a literary magazine; a publishing house; an online journal; a national newspaper; a public radio station;"
        " a writing center",
        "won a national writing award; published a collection of essays; was nominated for a book prize; edited a"
        " student newspaper; lived abroad for a decade; wrote a column for a local paper; received a fellowship;"
        " spent a year in Mexico; appeared in several anthologies",
        "English literature; creative writing; comparative literature; history; communications",
    ),
}

OCCUPATIONS = {
    "accountant": Occupation(
        "office",
        0.5,
        _work(
            "tax planning; forensic accounting; audit and assurance; bookkeeping; payroll; financial reporting; cost"
            " accounting; corporate taxation; internal controls; cash flow; budgeting; business valuation; fraud"
            " detection; sales tax; accounts payable and receivable; retirement plans; capital gains",
            "prepares tax returns for individuals and small companies; audits public companies; manages payroll and"
            " accounts; reconciles bank statements; represents taxpayers before the revenue service; reviews balance"
            " sheets every quarter; helps clients to reduce their taxes; prepares financial statements; is a certified"
            " public accountant; oversees the annual audit",
            "a public accounting firm; the tax department of a large firm; an audit practice; the accounting office of"
            " an oil and gas company; a bookkeeping service; the finance department of a mining group",
            "qualified as a chartered accountant; passed the CPA exam; served as chief financial officer; worked as"
            " controller of a manufacturing company; uncovered a major fraud; was treasurer of a charity; became a"
            " member of the institute of certified public accountants; started in the audit department",
            "accounting; taxation; accountancy; auditing; finance and accounting",
        ),
    ),
    "architect": Occupation(
        "making",
        0.25,
        _work(
            "residential buildings; urban planning; museums and libraries; sustainable architecture; historic"
            " preservation; social housing; facades; schools and hospitals; landscape and site planning; high rise"
            " towers; timber construction; public buildings; structural design",
            "designs schools, libraries and houses; draws floor plans and facades; oversees construction on site;"
            " restores historic buildings; designs energy efficient homes; plans whole city districts; is a licensed"
            " member of the institute of architects; enters international building competitions",
            "an architecture firm; an architectural practice in London; a city planning office; an urban design group;"
            " a school of architecture",
            "designed a concert hall in Denmark; won a competition for a new railway station; restored a church tower;"
            " drew up the master plan of a harbor; designed more than fifty houses; completed an apprenticeship with"
            " a famous builder of bridges",
            "architecture; urban design; building science; structural engineering; architectural history",
        ),
    ),
    "attorney": Occupation(
        "office",
        0.35,
        _work(
            "civil litigation; criminal defense; personal injury; intellectual property; divorce and custody;"
            " immigration law; employment law; class actions; trial practice; medical malpractice; antitrust; appeals;"
            " bankruptcy law; white collar crime; product liability; arbitration",
            "represents clients in state and federal court; argues appeals before the supreme court; defends people"
            " accused of crimes; tries cases before a jury; negotiates settlements; is admitted to the bar in two"
            " states; represents injured workers; counsels employers on lawsuits; takes depositions of witnesses",
            "a law firm; the office of the district attorney; a litigation boutique; the public defender's office;"
            " the legal department of a bank; the law offices of two partners",
            "won a verdict of three million dollars; clerked for a federal judge; served as a prosecutor; was admitted"
            " to the bar; graduated from law school with honors; edited the law review; became general counsel; argued"
            " a landmark case",
            "law; constitutional law; legal theory; criminal justice; jurisprudence",
        ),
    ),
    "chiropractor": Occupation(
        "health",
        0.25,
        _work(
            "spinal adjustments; back pain; neck pain; headaches; posture; sports injuries; the spine and nervous"
            " system; whiplash; sciatica; joint mobility; natural healing; muscle therapy; car accident injuries",
            "adjusts the spine without drugs or surgery; treats back and neck pain; relieves headaches by gentle"
            " adjustments; works with injured athletes; corrects posture; treats victims of car accidents; uses massage"
            " and spinal decompression",
            "a chiropractic clinic; a spine and wellness center; a chiropractic office; a back pain clinic; a sports"
            " injury center",
            "graduated from a chiropractic college; opened a chiropractic practice; became interested in the spine"
            " after a football injury; adjusted athletes at the national games; studied gentle spinal techniques",
            "chiropractic; anatomy; spinal biomechanics; sports rehabilitation",
        ),
    ),
    "comedian": Occupation(
        "stage",
        0.2,
        _work(
            "stand-up comedy; improvisation; sketch shows; jokes about family life; satire; late night television;"
            " comedy clubs; one-liners; funny songs; absurd humor; sitcoms; podcasts about nothing at all",
            "makes audiences laugh in clubs and theaters; tells jokes about marriage and airports; writes sketches for"
            " a late night show; hosts a weekly comedy podcast; performs stand-up at colleges; does impressions of"
            " politicians; improvises with a troupe every Friday",
            "a comedy club; an improv theater; a late night show; a comedy festival; a sketch comedy troupe",
            "won a comedy award at the fringe festival; recorded an hour of stand-up; opened for a famous comic; told"
            " the first joke in a bar; starred in a sitcom; appeared on a late night show; reached the final of a"
            " funny talent contest",
            "improvisation; comedy writing; drama; acting",
        ),
    ),
    "composer": Occupation(
        "music",
        0.2,
        _work(
            "chamber music; film scores; orchestral works; opera; choral music; string quartets; piano sonatas;"
            " symphonies; counterpoint; electroacoustic pieces; ballet scores; music for video games",
            "writes scores for films and games; composes for orchestra and choir; conducts contemporary works; has"
            " written three operas; arranges folk songs for string quartet; receives commissions from ensembles;"
            " orchestrates music for the theater",
            "a conservatory; the national symphony orchestra; an opera house; a contemporary ensemble; a film music"
            " studio",
            "wrote a symphony in four movements; scored a film about the sea; had an opera performed in Vienna; won a"
            " prize for a string quartet; studied composition and piano; composed the theme of a television series;"
            " was composer in residence",
            "composition; conducting; piano; orchestration; musicology",
        ),
    ),
    "dentist": Occupation(
        "health",
        0.35,
        _work(
            "dental implants; root canals; cosmetic dentistry; teeth whitening; gum disease; crowns and bridges;"
            " oral surgery; braces; tooth decay; veneers; pediatric dentistry; dentures; oral hygiene",
            "restores teeth with crowns and implants; treats nervous dental patients with sedation; creates beautiful"
            " smiles; fills cavities without pain; provides dental care for children; places implants and veneers;"
            " is a member of the dental association",
            "a dental practice; a school of dentistry; a dental clinic; a cosmetic dental office; an oral health"
            " center",
            "graduated from dental school; completed a residency in oral surgery; opened a dental office; received a"
            " doctor of dental surgery degree; gave free dental care in Guatemala; taught dental students",
            "dentistry; dental surgery; oral biology; orthodontics",
        ),
    ),
    "dietitian": Occupation(
        "fitness",
        0.95,
        _work(
            "meal planning; eating disorders; diabetes; food allergies; plant-based diets; childhood obesity; gut"
            " health; vitamins and minerals; sports nutrition; clinical nutrition; kidney disease; heart healthy meals;"
            " mindful eating",
            "plans meals for people with diabetes; counsels families on nutrition; writes recipes with whole grains and"
            " vegetables; treats eating disorders; teaches clients to read food labels; is a registered member of the"
            " academy of nutrition; develops menus for hospitals and schools",
            "a nutrition clinic; a hospital kitchen; a diabetes center; a nutrition counseling practice; a school meals"
            " program",
            "completed a dietetic internship; published a cookbook of healthy recipes; developed a menu for cancer"
            " patients; ran a nutrition class for new parents; worked as a clinical nutritionist",
            "dietetics; nutrition science; food science; clinical nutrition",
        ),
    ),
    "dj": Occupation(
        "music",
        0.15,
        _work(
            "house and techno; remixes; turntables; nightclubs; vinyl records; dance floors; mixing; drum and bass;"
            " disco; mixtapes; club nights; beats from Detroit and Chicago; trance",
            "spins house and techno at clubs; mixes records until sunrise; hosts a weekly mix show; fills dance floors"
            " in Ibiza and Miami; remixes tracks for other artists; collects rare vinyl; plays weddings and parties",
            "a nightclub; a dance music label; a beach club in Ibiza; an underground club; a mix show",
            "held a residency at a famous club; won a mixing championship; released a mixtape; remixed a disco hit;"
            " bought a pair of turntables at thirteen; played the main stage of a dance festival; started a club night",
            "music technology; audio production; electronic music production",
        ),
    ),
    "filmmaker": Occupation(
        "stage",
        0.2,
        _work(
            "documentary films; short films; feature films; screenplays; directing; editing; cinematography; music"
            " videos; independent cinema; animation; the history of cinema; film festivals",
            "directs documentaries and features; writes and directs short films; edits every film by hand; produces"
            " music videos; films in remote places; develops a feature screenplay; screens films at Sundance and"
            " Cannes",
            "a film production company; a film school; a documentary unit; an editing studio; an independent cinema",
            "directed a documentary on fishing villages; premiered a short film in Toronto; shot a feature in eleven"
            " days; won the jury prize for best director; produced a series of documentaries; made a first movie at"
            " fifteen; wrote the screenplay of a thriller",
            "film directing; cinema; screenwriting; film production; cinematography",
        ),
    ),
    "interior_designer": Occupation(
        "making",
        0.9,
        _work(
            "home interiors; furniture; color schemes; kitchens and bathrooms; hotel lobbies; fabrics and textures;"
            " lighting; wallpaper; vintage pieces; residential renovation; room layouts; home staging; luxury villas",
            "decorates homes, hotels and restaurants; chooses fabrics, furniture and colors; transforms old apartments;"
            " mixes antiques with modern furniture; designs elegant kitchens; finds the right sofa for every room;"
            " creates warm and welcoming interiors",
            "an interior design studio; a furniture showroom; a decorating firm; a hotel design group; a home"
            " furnishings brand",
            "decorated a hotel by the sea; launched a line of fabrics and cushions; redesigned the rooms of an old"
            " villa; opened a furniture shop; was featured in a home magazine; styled apartments for sale",
            "interior design; decorative arts; textile design; furniture design",
        ),
    ),
    "journalist": Occupation(
        "letters",
        0.75,
        _work(
            "investigative reporting; breaking news; foreign correspondence; sports coverage; elections; business news;"
            " war reporting; court reporting; interviews; broadcast news; data reporting; press freedom",
            "reports on elections and the economy; covers breaking news; investigates corruption; interviews"
            " politicians and victims; anchors the evening news; files stories from conflict zones; writes news and"
            " features for a daily paper; covers health care and education policy",
            "a daily newspaper; a news agency; a television newsroom; the foreign desk; a broadcast network; the"
            " investigative unit of a newspaper",
            "covered the war in Syria; broke the story of a bank scandal; worked as a foreign correspondent; reported"
            " from Moscow and Cairo; was news editor of a weekly; won a press award for an investigation; covered"
            " three presidential elections",
            "journalism; mass communication; broadcasting; media and politics",
        ),
    ),
    "model": Occupation(
        "stage",
        0.95,
        _work(
            "runway shows; fashion campaigns; photo shoots; magazine covers; swimwear; cosmetics campaigns; catalog"
            " work; designer collections; beauty contests; glamour; fashion week; lingerie",
            "walks the runway for famous designers; poses for catalogs and covers; is the face of a perfume; is signed"
            " with an agency in Milan; stands before the camera for swimwear brands; stars in fashion campaigns;"
            " measures five feet and ten inches",
            "a modeling agency; a fashion house in Milan; the runways of fashion week; a cosmetics brand",
            "was scouted in a shopping mall; walked at fashion week; posed for the cover of a magazine; won a beauty"
            " contest; appeared in a lingerie campaign; signed with a modeling agency; became the face of a cosmetics"
            " brand",
            "fashion; fashion marketing; styling; dance",
        ),
    ),
    "nurse": Occupation(
        "health",
        0.95,
        _work(
            "critical care; wound care; bedside care; intensive care; labor and delivery; home care; palliative care;"
            " vaccination; newborn care; emergency room shifts; geriatric care; infection control; oncology wards",
            "cares for patients at the bedside; gives medication and changes dressings; works night shifts on the ward;"
            " trains new nursing staff; is a registered member of the nursing board; looks after newborn babies;"
            " prescribes as a nurse practitioner; comforts patients and their families",
            "an intensive care unit; a nursing home; a maternity ward; a hospice; an emergency room; a school of"
            " nursing",
            "earned a nursing license; worked in a hospice; completed a nursing degree; ran a"
            " vaccination clinic; worked in labor and delivery; supervised the night shift; became a family nurse"
            " practitioner",
            "nursing; midwifery; nursing practice; community nursing",
        ),
    ),
    "painter": Occupation(
        "stage",
        0.8,
        _work(
            "oil painting; watercolor; abstract canvases; landscapes; still life; acrylics; murals; figure painting;"
            " color fields; charcoal drawing; brushwork; portraits in oil; printmaking; collage",
            "paints landscapes in oil; works on large canvases; exhibits paintings in galleries; paints murals on city"
            " walls; layers color with a palette knife; paints outdoors in every season; sells watercolors to private"
            " collectors",
            "a painting studio; an art gallery in Santa Fe; an academy of fine arts; a museum of modern art; an"
            " artists' colony",
            "exhibited forty canvases; painted a mural for the town hall; sold paintings to museums; studied painting"
            " in Florence; had a solo exhibition of oil paintings; illustrated a book with watercolors",
            "painting; fine art; drawing; printmaking; art history",
        ),
    ),
    "paralegal": Occupation(
        "office",
        0.9,
        _work(
            "legal research; case files; document review; drafting of pleadings; trial preparation; discovery; legal"
            " correspondence; court filings; exhibits; docket management; real estate closings; probate files",
            "supports attorneys in trial preparation; files documents with the court; drafts pleadings and letters for"
            " attorneys; organizes discovery and exhibits; maintains case files; conducts legal research; schedules"
            " hearings and depositions; is a certified legal assistant",
            "the legal support team of a law firm; a probate law office; a litigation support group; a legal aid"
            " office",
            "completed a certificate in legal studies; worked as a legal secretary; assisted three trial attorneys;"
            " organized the exhibits of a long trial; became a notary public; supported the litigation department",
            "legal studies; paralegal studies; legal assistance; court administration",
        ),
    ),
    "pastor": Occupation(
        "learning",
        0.2,
        _work(
            "worship; prayer; the gospel; discipleship; Bible study; church planting; pastoral care; sermons; youth"
            " ministry; missions; grace and faith; theology; marriage counseling in the church",
            "preaches every Sunday; leads worship and prayer; shepherds a growing congregation; teaches the Bible;"
            " plants new churches; visits the sick and prays with them; shares the good news of Jesus Christ; baptizes"
            " new members",
            "a Baptist church; a Lutheran congregation; a new church plant; a theological seminary; a Methodist church;"
            " a Christian ministry",
            "was ordained to the ministry; planted a church with ten families; graduated from seminary; served as a"
            " missionary in Kenya; led a congregation for a decade; felt the call of God; preached the first sermon at"
            " twenty",
            "theology; divinity; biblical studies; ministry; pastoral studies",
        ),
    ),
    "personal_trainer": Occupation(
        "fitness",
        0.2,
        _work(
            "strength training; muscle gain; body building; boot camps; kettlebells; functional training; boxing"
            " workouts; interval training; athletic performance; core stability; cardio; weight lifting; marathon"
            " preparation",
            "designs workouts for every client; trains athletes in the gym; runs boot camps in the park; coaches"
            " clients through squats and push-ups; prepares runners for marathons; builds strength and muscle; is"
            " certified in strength and conditioning",
            "a gym; a boxing gym; a strength and conditioning facility; a fitness studio; a crossfit box",
            "competed in body building; trained a professional football team; earned a certification in strength and"
            " conditioning; opened a gym; lifted at the national championship; lost sixty pounds by lifting weights",
            "strength and conditioning; sports science; athletic training; exercise physiology",
        ),
    ),
    "photographer": Occupation(
        "stage",
        0.45,
        _work(
            "wedding photography; portrait photography; wildlife; landscape photography; black and white prints; street"
            " photography; studio lighting; photo essays; nature photography; darkroom work; aerial pictures; camera"
            " techniques",
            "photographs weddings and families; captures moments with a camera; shoots for travel magazines; prints"
            " pictures in a darkroom; teaches photography workshops; photographs wildlife in Africa; works only in"
            " natural light",
            "a photography studio; a photo agency; a wedding photography company; a camera club; a school of"
            " photography",
            "bought a first camera at twelve; photographed more than three hundred weddings; published a book of"
            " photographs; won a wildlife photography contest; shot covers for travel magazines; exhibited black and"
            " white prints",
            "photography; photojournalism; visual arts; photographic printing",
        ),
    ),
    "physician": Occupation(
        "health",
        0.4,
        _work(
            "internal medicine; family medicine; cardiology; pediatrics; oncology; infectious disease; dermatology;"
            " neurology; obstetrics and gynecology; psychiatry; diabetes and heart disease; emergency medicine;"
            " asthma and allergy",
            "diagnoses and treats heart disease; practices internal medicine; prescribes medication for high blood"
            " pressure; is board certified in family medicine; is affiliated with several hospitals; treats infections"
            " and chronic disease; speaks Spanish with patients; leads clinical trials",
            "a primary care practice; the department of internal medicine; a family medicine clinic; a cardiology"
            " group; a medical school",
            "graduated from medical school; completed a residency in internal medicine; received a medical degree;"
            " finished a fellowship in cardiology; served as chief resident; was head of a department of medicine;"
            " ran a clinical trial on asthma",
            "medicine and pharmacology; internal medicine; medical science; immunology",
        ),
    ),
    "poet": Occupation(
        "letters",
        0.85,
        _work(
            "lyric poems; sonnets; spoken word; free verse; haiku; poems about rivers; ballads; prose poems; verse"
            " translations; elegies; rhyme and silence; poetry slams",
            "writes poems about rivers and grief; reads poetry in small bookshops; publishes verse in literary"
            " journals; performs spoken word; edits a poetry review; is the author of four books of poems; teaches"
            " poetry in schools",
            "a poetry press; a poetry foundation; a writers' retreat; a poetry review; a school of creative writing",
            "published a first collection of poems; won a poetry prize; was poet in residence; had poems in several"
            " journals; translated sonnets from Italian; read verse on public radio; wrote a chapbook of haiku",
            "poetry; poetics; creative writing and verse; classical literature",
        ),
    ),
    "professor": Occupation(
        "learning",
        0.3,
        _work(
            "game theory; molecular biology; statistical mechanics; medieval history; political economy; linguistics;"
            " academic research; econometrics; quantum physics; social theory; algorithms; cognitive science;"
            " environmental policy; comparative politics",
            "teaches graduate courses and supervises doctoral students; publishes in leading academic journals; holds a"
            " chair in the department; directs a research center; lectures on political theory; leads a research"
            " group; is principal investigator of a large grant; edits an academic journal",
            "the department of economics; a research university; the faculty of social sciences; a graduate school;"
            " an institute of technology; the faculty of law",
            "received tenure; completed a doctorate at Oxford; published more than ninety papers; was a visiting"
            " scholar at Stanford; held a postdoctoral fellowship; wrote a textbook on statistics; became dean of the"
            " faculty; received a research grant from the science foundation",
            "physics; sociology; mathematics; anthropology; political theory; linguistics",
        ),
    ),
    "psychologist": Occupation(
        "health",
        0.85,
        _work(
            "anxiety and depression; trauma; cognitive behavioral therapy; couples counseling; grief; self-esteem;"
            " autism and attention disorders; psychotherapy; addiction; mental health; child development;"
            " personality tests; psychological assessment; family therapy",
            "treats anxiety, depression and trauma; provides therapy for couples and families; helps teenagers through"
            " grief; tests children for learning disorders; sees clients in psychotherapy; is licensed to practice"
            " psychology; studies memory and emotion",
            "a counseling center; a mental health clinic; a psychotherapy practice; a child guidance center; the"
            " department of psychology",
            "completed a doctorate in clinical psychology; trained in cognitive therapy; counseled students with"
            " depression; wrote a book about anxiety; worked in a psychiatric ward; studied how children remember",
            "psychology; clinical psychology; counseling; behavioral science",
        ),
    ),
    "rapper": Occupation(
        "music",
        0.1,
        _work(
            "hip hop; rhymes; freestyle battles; beats and lyrics; street culture; rap singles; verses about the"
            " neighborhood; gangsta rap; trap; the underground scene; rap crews",
            "raps about life in the projects; drops verses over heavy beats; battles other emcees; writes rhymes about"
            " the streets; is known on stage by another name; runs a hip hop label; raps in English and French",
            "a hip hop label; a rap crew; the underground hip hop scene; a street music collective",
            "dropped a debut mixtape; won a freestyle battle; went platinum with a rap single; grew up with hip hop in"
            " Brooklyn; released rhymes under a stage name; feuded with a rival emcee; signed with a hip hop label",
            "rhymes on the street; audio engineering; beat making",
        ),
    ),
    "software_engineer": Occupation(
        "making",
        0.1,
        _work(
            "web applications; databases; open source software; mobile apps; machine learning; cloud computing; Java"
            " and Python; distributed systems; programming languages; computer security; embedded systems; testing and"
            " debugging; search engines",
            "writes code in Java and Python; develops mobile applications; maintains an open source library; builds web"
            " services; debugs large systems; codes the backend of an online shop; automates tests and releases;"
            " programs embedded devices",
            "a software company; an internet startup; the engineering team of a search engine; a data center; a"
            " software consultancy",
            "wrote a compiler; developed the backend of a mobile app; contributed to the Linux kernel; programmed games"
            " as a teenager; worked as a developer for a software vendor; moved a large database to the cloud",
            "computer science; software engineering; information technology; computer engineering",
        ),
    ),
    "surgeon": Occupation(
        "health",
        0.1,
        _work(
            "hip and knee replacement; heart surgery; plastic and reconstructive surgery; minimally invasive"
            " operations; orthopedic surgery; transplants; brain tumors; hand surgery; bariatric surgery; vascular"
            " surgery; cataract operations; robotic surgery; breast reconstruction",
            "operates on hips and knees; performs heart surgery; repairs torn ligaments; performs cosmetic procedures;"
            " transplants kidneys and livers; removes tumors with robotic instruments; is a fellow of the college of"
            " surgeons; trains residents in the operating room",
            "a surgical center; the department of surgery; an orthopedic hospital; a transplant unit; a plastic surgery"
            " clinic",
            "completed a residency in general surgery; performed more than two thousand operations; finished a"
            " fellowship in plastic surgery; led the first transplant of the region; became chief of surgery; operated"
            " in field hospitals",
            "surgery; surgical anatomy; orthopedics; vascular medicine",
        ),
    ),
    "teacher": Occupation(
        "learning",
        0.9,
        _work(
            "primary education; middle school mathematics; kindergarten; special education; literacy; lesson plans;"
            " classroom management; high school science; the third grade; bilingual education; children with special"
            " needs; school gardens; reading and spelling",
            "teaches third grade; teaches mathematics at a high school; prepares pupils for their exams; runs the"
            " school choir; reads aloud to the class every morning; helps children with their homework; organizes"
            " the science fair; meets parents after class",
            "an elementary school; a public high school; a kindergarten; a middle school classroom; a primary school",
            "taught the fifth grade; earned a teaching certificate; was named educator of the year by the school"
            " district; began as a substitute in a kindergarten; coached the school chess club; wrote a spelling book"
            " for pupils",
            "elementary education; teaching; special education; early childhood education; pedagogy",
        ),
    ),
    "yoga_teacher": Occupation(
        "fitness",
        0.9,
        _work(
            "vinyasa flow; meditation; breathing; hatha and ashtanga; prenatal yoga; mindfulness; restorative poses;"
            " Sanskrit and philosophy; yin practice; retreats in Bali; alignment; sun salutations; inner peace",
            "teaches vinyasa and restorative classes; guides students through breath and meditation; leads yoga"
            " retreats; practices on the mat every morning; teaches prenatal yoga; brings calm to body and mind;"
            " weaves philosophy into every class",
            "a yoga studio; an ashram; a retreat center in Costa Rica; a meditation center; a yoga school",
            "completed a two hundred hour yoga training; studied with masters in India; fell in love with the practice"
            " on the mat; opened a yoga studio; led a retreat in Bali; discovered meditation after an accident",
            "yoga philosophy; meditation; mindfulness; movement therapy",
        ),
    ),
}
"""The 28 occupations of Bias in Bios (De-Arteaga et al., 2019), by the names of its labels."""

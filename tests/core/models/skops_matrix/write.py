"""Write skops files of every family with the installed scikit-learn: ``python write.py FOLDER``; see families.py."""

import json
import sys
from pathlib import Path

import families
import numpy as np
import sklearn
import skops
import skops.io


def main(folder: Path) -> None:
    """One ``.skops`` and one ``.npy`` a case, the tables, and ``cases.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = families.people()
    holed = families.with_gaps(whole)
    whole.to_csv(folder / "people.csv", index=False)
    holed.to_csv(folder / "gaps.csv", index=False)
    written = []
    for number, (name, estimator, columns, outcome, gaps) in enumerate(families.cases()):
        frame = holed if gaps else whole
        case = {"name": name, "columns": columns, "outcome": outcome, "gaps": gaps, "file": f"{number}.skops"}
        try:
            fitted = families.fit(estimator, frame, columns, outcome)
            np.save(folder / f"{number}.npy", families.answers(fitted, families.as_trained(frame, columns)))
        except Exception as error:
            written.append({**case, "not fitted": f"{type(error).__name__}: {error}"[:200]})
            continue
        try:
            skops.io.dump(fitted, folder / case["file"])
        except Exception as error:
            written.append({**case, "not written": f"{type(error).__name__}: {error}"[:200]})
            continue
        written.append({**case, "classes": np.asarray(getattr(fitted, "classes_", [])).tolist()})
    about = {"scikit-learn": sklearn.__version__, "skops": skops.__version__, "cases": written}
    (folder / "cases.json").write_text(json.dumps(about, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

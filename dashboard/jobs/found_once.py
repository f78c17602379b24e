"""What every child would find out for itself, found out when this module is imported, before children are forked.

That is the version of every library whose numbers enter a result, and which extensions of data frames are installed:
scikit-learn looks through all installed packages for them when it first sees an array.
"""

import numpy as np
from sklearn.preprocessing import StandardScaler

from core.base.versions import library_versions

library_versions()
StandardScaler().fit(np.array([[0.0], [1.0]]))

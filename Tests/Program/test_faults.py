"""A short campaign of random faults; `scripts/campaigns/faults` is the long one."""

import random
import unittest

from fault_campaign import campaign


class FaultTests(unittest.TestCase):
    def test_random_faults_end_nothing_hang_nothing_and_lose_no_photo(self):
        seed = random.SystemRandom().randrange(1 << 32)
        trial = campaign(seconds=12, seed=seed, slow=6)
        # Every kind of fault was there, and photos that could have been lost.
        self.assertGreater(len(trial.tried), 12, f"seed {seed}")
        self.assertGreater(len(trial.saved), 1, f"seed {seed}")


if __name__ == "__main__":
    unittest.main()

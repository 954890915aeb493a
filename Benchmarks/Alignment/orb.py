"""Aligns the pairs of `pairs.py` by ORB and RANSAC, for comparison.

    orb.py FOLDER

Writes `orb.json`: for each pair the number of features that agree on a similarity, the mean
displacement of the corners by it in widths (null if there is none), and the time in milliseconds.
Needs opencv-python-headless and numpy.
"""

import json
import pathlib
import sys
import time

import cv2
import numpy as np


def main(folder):
    folder = pathlib.Path(folder)
    rows = json.loads((folder / "pairs.json").read_text())["pairs"]
    pixels = np.memmap(folder / "large.bin", np.uint8, "r")
    orb, matcher = cv2.ORB_create(1000), cv2.BFMatcher(cv2.NORM_HAMMING)
    cv2.setNumThreads(1)
    cv2.setRNGSeed(1)
    at, found = 0, []
    for row in rows:
        width, height = row["largeWidth"], row["largeHeight"]
        pictures = []
        for _ in range(2):
            pictures.append(np.array(pixels[at:at + width * height]).reshape(height, width))
            at += width * height
        start = time.process_time()
        (old, about_old), (new, about_new) = (orb.detectAndCompute(one, None) for one in pictures)
        inliers, way = 0, None
        if about_old is not None and about_new is not None and len(about_new) > 1:
            pairs = [one for one in matcher.knnMatch(about_old, about_new, k=2) if len(one) == 2]
            good = [one for one, next_ in pairs if one.distance < 0.8 * next_.distance]
            if len(good) >= 4:
                points = [np.float32([old[one.queryIdx].pt for one in good]),
                          np.float32([new[one.trainIdx].pt for one in good])]
                map_, mask = cv2.estimateAffinePartial2D(*points, method=cv2.RANSAC, ransacReprojThreshold=5)
                if map_ is not None:
                    inliers = int(mask.sum())
                    corners = np.float32([[0, 0], [width, 0], [0, height], [width, height]])
                    way = float(np.linalg.norm(corners @ map_[:, :2].T + map_[:, 2] - corners, axis=1).mean() / width)
        found.append({"inliers": inliers, "way": way, "milliseconds": (time.process_time() - start) * 1000})
    (folder / "orb.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])

type Parts = { fit: number; engagement: number }

/** Returns what fit, engagement and other rules add to a score. The parts add up to it, also after rounding. */
export function shareScore(score: number, { fit, engagement }: Parts, weights: Parts): Parts & { other: number } {
  const weightedFit = Math.round(weights.fit * fit)
  const sum = Math.round(weights.fit * fit + weights.engagement * engagement)
  return { fit: weightedFit, engagement: sum - weightedFit, other: score - sum }
}

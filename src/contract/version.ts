/**
 * Counts up whenever a schema of the bridge or of the service changes; a test holds its fingerprint.
 * 1: the main job.
 */
export const CONTRACT_VERSION = 1

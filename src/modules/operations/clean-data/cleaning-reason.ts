/** Reason of the maintenance; it marks the workspaces whose maintenance ends with the task. */
export const cleaningReason = 'All data of the workspace is being deleted.'

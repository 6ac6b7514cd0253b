/** Reason of the maintenance; it marks the workspaces whose maintenance ends with the task. */
export const restoringReason = 'A backup of the workspace is being restored.'

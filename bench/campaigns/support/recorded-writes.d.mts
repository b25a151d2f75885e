export function whyNotRecorded(): string | undefined;

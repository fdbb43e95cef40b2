// A first guess at where somebody lives: where his browser is.

const select = document.querySelector("select[name=zone]");
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (select && select.value === "UTC" && [...select.options].some((o) => o.value === timeZone)) select.value = timeZone;

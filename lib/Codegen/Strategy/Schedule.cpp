#include "forge/Codegen/Schedule.h"

#include "forge/Diagnostics/ErrorContext.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

InFlightDiagnostic forge::emitScheduleError(Operation *op, const Twine &message) {
  InFlightDiagnostic error = emitUserError(op->getLoc());
  ErrorDetails details = detailsOf(op);
  if (isa<FunctionOpInterface>(op))
    details.advice = "forge explain --alternatives, which lists schedules that a kernel can have";
  addErrorDetails(*error.getUnderlyingDiagnostic(), details);
  error << message;
  return error;
}

ScheduleAttr forge::getSchedule(Operation *op, StringRef name) {
  return dyn_cast_or_null<ScheduleAttr>(op->getDiscardableAttr(name));
}

std::optional<int64_t> forge::givenSize(ScheduleAttr schedule, StringRef field) {
  return schedule ? schedule.findSize(field) : std::nullopt;
}

LogicalResult forge::checkFields(Operation *op, ScheduleAttr schedule, StringRef strategy,
                                 ArrayRef<StringLiteral> fields) {
  for (NamedAttribute entry : schedule.getFields())
    if (entry.getName() != "strategy" && !llvm::is_contained(fields, entry.getName().getValue()))
      return emitScheduleError(op, "strategy '")
             << strategy << "' has no field '" << entry.getName().getValue() << "', expected "
             << llvm::join(fields, ", ");
  return success();
}
